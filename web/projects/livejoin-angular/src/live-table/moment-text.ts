import type { Instant } from 'livejoin-client';
import type { ZoneChoice } from '../formats';

const NANOS_PER_MILLI = 1_000_000n;

/** A point in time as a clock in that zone says it, to the nanosecond: `2024-05-17 08:30:00.123456789`. */
export function momentText({ epochNanos, iso }: Instant, zone: ZoneChoice): string {
  const utc = iso.slice(0, -1).replace('T', ' ');
  if (zone === 'UTC') return utc;
  const remainder = epochNanos % NANOS_PER_MILLI;
  const floor = (epochNanos - remainder) / NANOS_PER_MILLI - (remainder < 0n ? 1n : 0n);
  // Zones differ by whole seconds, so the fraction is that of UTC.
  return `${localSeconds(new Date(Number(floor)))}${utc.slice('2024-05-17 08:30:00'.length)}`;
}

/** With how far the clock is from UTC, so that the hour that a year has twice can be told apart. */
export function offsetText(milliseconds: number, zone: ZoneChoice): string {
  if (zone === 'UTC') return 'UTC';
  const minutes = -new Date(milliseconds).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60))}:${padded(size % 60)}`;
}

function localSeconds(at: Date): string {
  const day = [padded(at.getFullYear(), 4), padded(at.getMonth() + 1), padded(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => padded(part)).join(':')}`;
}

function padded(part: number, length = 2): string {
  return part.toString().padStart(length, '0');
}

import type { Instant } from './table-server';

/** In which zone points in time are written: the same for everybody, or that of the person. */
export type ZoneChoice = 'UTC' | 'local';

/** What a clock in some zone says at a point in time, and how far that clock is from UTC. */
export interface ZonedTime {
  /** `2024-05-17T10:30:00.123456789` */
  readonly clock: string;
  /** `+02:00`; `Z` where the zone is UTC. */
  readonly offset: string;
}

const NANOS_PER_SECOND = 1_000_000_000n;
const SECONDS = '2024-05-17T08:30:00'.length;

export function zonedTime({ epochNanos, iso }: Instant, zone: ZoneChoice): ZonedTime {
  const utc = iso.slice(0, -1);
  if (zone === 'UTC') return { clock: utc, offset: 'Z' };
  const remainder = epochNanos % NANOS_PER_SECOND;
  const second = Number((epochNanos - remainder) / NANOS_PER_SECOND) - (remainder < 0n ? 1 : 0);
  const at = new Date(second * 1_000);
  const day = [padded(at.getFullYear(), 4), padded(at.getMonth() + 1), padded(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => padded(part)).join(':');
  // Zones differ by whole seconds, so the fraction is that of UTC.
  return { clock: `${day}T${time}${utc.slice(SECONDS)}`, offset: offsetAt(at) };
}

/** A point in time in ISO 8601 by the clock of that zone: the same point, to the nanosecond. */
export function isoIn(instant: Instant, zone: ZoneChoice): string {
  const { clock, offset } = zonedTime(instant, zone);
  return `${clock}${offset}`;
}

/** To the second, as far as a clock was from UTC before there were zones; a Date tells its minutes only. */
function offsetAt(at: Date): string {
  const clock = Date.UTC(
    at.getFullYear(),
    at.getMonth(),
    at.getDate(),
    at.getHours(),
    at.getMinutes(),
    at.getSeconds(),
  );
  const offset = (clock - at.getTime()) / 1_000;
  const size = Math.abs(offset);
  const parts = [
    Math.floor(size / 3_600),
    Math.floor(size / 60) % 60,
    ...(size % 60 === 0 ? [] : [size % 60]),
  ];
  return `${offset < 0 ? '-' : '+'}${parts.map((part) => padded(part)).join(':')}`;
}

function padded(part: number, length = 2): string {
  return part.toString().padStart(length, '0');
}

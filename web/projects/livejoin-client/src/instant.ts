import { SettingsError } from './errors';
import type { Instant } from './table-server';

const NANOS_PER_SECOND = 1_000_000_000n;
const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

class PointInTime implements Instant {
  constructor(
    readonly epochNanos: bigint,
    readonly iso: string,
  ) {}

  toString(): string {
    return this.iso;
  }
}

export function instantOf(epochNanos: bigint): Instant {
  const [seconds, nanos] = inSeconds(epochNanos);
  const digits = nanos.replace(/(000)+$/, '');
  return new PointInTime(epochNanos, `${seconds}${digits === '' ? '' : `.${digits}`}Z`);
}

/**
 * A point in time from ISO 8601 text with an offset and up to nine digits of a second, for a filter. A Date would round
 * it to milliseconds.
 */
export function instantFrom(text: string): Instant {
  const [, seconds, digits = '', offset] = ISO.exec(text.trim()) ?? [];
  const millis = Date.parse(`${seconds ?? ''}${offset ?? ''}`);
  if (Number.isNaN(millis)) {
    throw new SettingsError(
      `"${text}" is not a point in time: expected something like 2024-05-17T08:30:00.123Z.`,
    );
  }
  return instantOf(BigInt(millis) * 1_000_000n + BigInt(digits.padEnd(9, '0')));
}

function inSeconds(epochNanos: bigint): [seconds: string, nanos: string] {
  const remainder = epochNanos % NANOS_PER_SECOND;
  const nanos = remainder < 0n ? remainder + NANOS_PER_SECOND : remainder;
  const seconds = (epochNanos - nanos) / NANOS_PER_SECOND;
  return [new Date(Number(seconds) * 1000).toISOString().slice(0, 19), nanos.toString().padStart(9, '0')];
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOf } from '../src/instant';
import { isoIn, zonedTime } from '../src/zone';

const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{3,9}))?([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** What a reader who knows nothing of zones makes of it. */
function epochNanos(text: string): bigint {
  const [, seconds = '', digits = '', sign, hours, minutes, rest = '0'] = ISO.exec(text) ?? [];
  const offset = Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest);
  const millis = Date.parse(`${seconds}Z`) - (sign === '-' ? -offset : offset) * 1_000;
  return BigInt(millis) * 1_000_000n + BigInt(digits.padEnd(9, '0'));
}

describe('a point in time by the clock of a zone', () => {
  it('is in UTC as it always is', () => {
    expect(isoIn(instantOf(0n), 'UTC')).toBe('1970-01-01T00:00:00Z');
  });

  it('is the same point in time, to the nanosecond, in whatever zone and year', () => {
    const any = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(any, (nanos) => {
        expect(epochNanos(isoIn(instantOf(nanos), 'local'))).toBe(nanos);
      }),
    );
  });

  it('says what the clock on the wall says', () => {
    const at = new Date(2024, 6, 1, 22, 30, 5);
    const { clock } = zonedTime(instantOf(BigInt(at.getTime()) * 1_000_000n + 7n), 'local');
    expect(clock).toBe('2024-07-01T22:30:05.000000007');
  });
});

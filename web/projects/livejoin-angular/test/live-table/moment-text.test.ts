import { instantFrom } from 'livejoin-client';
import { describe, expect, it } from 'vitest';
import { localZone, momentNamed, momentText } from '../../src/live-table/moment-text';

const AT = instantFrom('2024-07-01T22:30:00.123456789Z');
const BEFORE_1970 = instantFrom('1969-12-31T23:59:59.999999999Z');

/** As the machine's own clock says it: the tests run in any zone. */
function clock(iso: string): string {
  const at = new Date(iso);
  const parts = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()];
  const [month, day, ...time] = parts.map((part) => part.toString().padStart(2, '0'));
  return `${String(at.getFullYear())}-${String(month)}-${String(day)} ${time.join(':')}`;
}

describe('a point in time', () => {
  it('is written to the nanosecond, in UTC', () => {
    expect(momentText(AT, 'UTC')).toBe('2024-07-01 22:30:00.123456789');
    expect(momentText(BEFORE_1970, 'UTC')).toBe('1969-12-31 23:59:59.999999999');
  });

  it('is written as the clock on the wall says it, with the same nanoseconds', () => {
    expect(momentText(AT, 'local')).toBe(`${clock('2024-07-01T22:30:00Z')}.123456789`);
    expect(momentText(BEFORE_1970, 'local')).toBe(`${clock('1969-12-31T23:59:59Z')}.999999999`);
  });

  it('names its zone, and how far its clock is from UTC', () => {
    expect(momentNamed(AT, 'UTC')).toBe('2024-07-01 22:30:00.123456789 UTC');
    const named = momentNamed(AT, 'local');
    expect(named.startsWith(`${momentText(AT, 'local')} ${localZone()} (UTC`)).toBe(true);
    expect(named).toMatch(/\(UTC[+-]\d\d:\d\d\)$/);
  });
});

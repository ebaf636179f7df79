import { describe, expect, it } from 'vitest';
import { SettingsError } from '../src/errors';
import { instantFrom, instantOf } from '../src/instant';

describe('a point in time', () => {
  it('reads as ISO 8601, with as many digits as it needs in groups of three', () => {
    expect(instantOf(0n).iso).toBe('1970-01-01T00:00:00Z');
    expect(instantOf(1_500_000_000n).iso).toBe('1970-01-01T00:00:01.500Z');
    expect(instantOf(-1n).iso).toBe('1969-12-31T23:59:59.999999999Z');
  });

  it('reads so wherever a text is made of it', () => {
    expect(['at', instantOf(0n)].join(' ')).toBe('at 1970-01-01T00:00:00Z');
  });

  it('is made from text to the nanosecond, before and after 1970', () => {
    expect(instantFrom('2026-11-15T20:36:30.123456789Z').epochNanos).toBe(1794774990123456789n);
    expect(instantFrom('1969-12-31T23:59:59.999999999Z').epochNanos).toBe(-1n);
    expect(instantFrom(' 1970-01-01T00:00:00.5Z ').epochNanos).toBe(500_000_000n);
  });

  it('is the same by every offset', () => {
    expect(instantFrom('2026-11-15T22:06:30.000000001+01:30').iso).toBe('2026-11-15T20:36:30.000000001Z');
  });

  it.each(['', 'yesterday', '2026-11-15', '2026-11-15T20:36:30', '2026-13-15T20:36:30Z', '1Z'])(
    'is not made from "%s"',
    (text) => {
      expect(() => instantFrom(text)).toThrow(SettingsError);
    },
  );
});

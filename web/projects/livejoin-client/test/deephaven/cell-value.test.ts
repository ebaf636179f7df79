import { describe, expect, it } from 'vitest';
import { cellValue, columnKind } from '../../src/deephaven/cell-value';

/** Long wrappers of the API: the number is rounded, the text is exact. */
const long = (text: string) => ({ asNumber: () => Number(text), toString: () => text, valueOf: () => text });

describe('cells', () => {
  it('keep null apart from every value', () => {
    for (const kind of ['integer', 'decimal', 'text', 'boolean', 'instant'] as const) {
      expect(cellValue(null, kind)).toBeNull();
      expect(cellValue(undefined, kind)).toBeNull();
    }
    expect(cellValue('', 'text')).toBe('');
  });

  it('hold 64-bit integers exactly: as numbers while these are exact, as bigints beyond', () => {
    expect(cellValue(long('42'), 'integer')).toBe(42);
    expect(cellValue(long('9007199254740991'), 'integer')).toBe(9007199254740991);
    expect(cellValue(long('9007199254740993'), 'integer')).toBe(9007199254740993n);
    expect(cellValue(long('-9223372036854775807'), 'integer')).toBe(-9223372036854775807n);
  });

  it('hold doubles, booleans and texts as they are', () => {
    expect(cellValue(-0.25, 'decimal')).toBe(-0.25);
    expect(cellValue(true, 'boolean')).toBe(true);
    expect(cellValue('Ada', 'text')).toBe('Ada');
  });

  it('hold points in time to the nanosecond', () => {
    expect(cellValue(long('1794774990123456789'), 'instant')).toEqual({
      epochNanos: 1794774990123456789n,
      iso: '2026-11-15T20:36:30.123456789Z',
    });
  });

  it('know their kind from the type of their column', () => {
    expect(
      ['long', 'double', 'java.lang.String', 'java.lang.Boolean', 'java.time.Instant'].map(columnKind),
    ).toEqual(['integer', 'decimal', 'text', 'boolean', 'instant']);
  });
});

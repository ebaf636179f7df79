import { describe, expect, it } from 'vitest';
import { cellValue } from '../../src/door/cell-value';
import { UnreadableError } from '../../src/door/wire';
import type { ColumnKind } from '../../src/table-server';

describe('cells', () => {
  it('keep null apart from every value', () => {
    for (const kind of ['integer', 'double', 'decimal', 'text', 'boolean', 'instant', 'date'] as const) {
      expect(cellValue(null, kind)).toBeNull();
      expect(() => cellValue(undefined, kind)).toThrow(UnreadableError);
    }
    expect(cellValue('', 'text')).toBe('');
  });

  it('hold 64-bit integers exactly: as numbers while these are exact, as bigints beyond', () => {
    expect(cellValue(42, 'integer')).toBe(42);
    expect(cellValue('42', 'integer')).toBe(42);
    expect(cellValue('9007199254740991', 'integer')).toBe(9007199254740991);
    expect(cellValue('9007199254740993', 'integer')).toBe(9007199254740993n);
    expect(cellValue('-9223372036854775807', 'integer')).toBe(-9223372036854775807n);
  });

  it('hold doubles, booleans and texts as they are', () => {
    expect(cellValue(-0.25, 'double')).toBe(-0.25);
    expect(cellValue(true, 'boolean')).toBe(true);
    expect(cellValue('Ada', 'text')).toBe('Ada');
  });

  it('hold decimals and dates as they are written, with every digit', () => {
    expect(cellValue('12.30', 'decimal')).toBe('12.30');
    expect(cellValue('-12345678901234567890.123456789012345678', 'decimal')).toBe(
      '-12345678901234567890.123456789012345678',
    );
    expect(cellValue('2024-12-31', 'date')).toBe('2024-12-31');
  });

  it('hold doubles that JSON has no numbers for', () => {
    expect(['NaN', 'Infinity', '-Infinity'].map((raw) => cellValue(raw, 'double'))).toEqual([
      NaN,
      Infinity,
      -Infinity,
    ]);
  });

  it('hold points in time to the nanosecond', () => {
    expect(cellValue('1794774990123456789', 'instant')).toMatchObject({
      epochNanos: 1794774990123456789n,
      iso: '2026-11-15T20:36:30.123456789Z',
    });
  });

  it.each<[unknown, ColumnKind]>([
    [1, 'text'],
    [1.5, 'integer'],
    [2 ** 53, 'integer'],
    ['1.5', 'integer'],
    ['', 'integer'],
    ['1', 'double'],
    [1, 'decimal'],
    ['1e3', 'decimal'],
    ['1.', 'decimal'],
    ['NaN', 'decimal'],
    [19_723, 'date'],
    ['31.12.2024', 'date'],
    [0, 'boolean'],
    ['true', 'boolean'],
    [1794774990, 'instant'],
    ['noon', 'instant'],
    ['9223372036854775808', 'instant'],
    [['u1'], 'text'],
  ])('are not taken for what they are not: %j is no %s', (raw, kind) => {
    expect(() => cellValue(raw, kind)).toThrow(UnreadableError);
  });
});

import { describe, expect, it } from 'vitest';
import { cellText, isNumeric } from '../../src/live-table/cell-text';

describe('the text of a cell', () => {
  it('tells null from an empty text', () => {
    expect(cellText(null, 'text').text).toBe('null');
    expect(cellText('', 'text').text).toBe('');
  });

  it('groups integers and keeps every digit of large ones', () => {
    expect(cellText(1_234_567, 'integer').text).toBe('1,234,567');
    expect(cellText(9007199254740993n, 'integer').text).toBe('9,007,199,254,740,993');
  });

  it('rounds decimals to two places and has the exact value at hand', () => {
    expect(cellText(1234.5, 'decimal')).toEqual({ text: '1,234.50', exact: null });
    expect(cellText(0.12345, 'decimal')).toEqual({ text: '0.12', exact: '0.12345' });
    expect(cellText(-1231.27, 'decimal')).toEqual({ text: '-1,231.27', exact: null });
  });

  it('shows what is not a finite number as it is', () => {
    expect(cellText(Infinity, 'decimal').text).toBe('Infinity');
  });

  it('shows points in time to the second and has the nanoseconds at hand', () => {
    const instant = { epochNanos: 0n, iso: '2026-11-15T20:36:30.123456789Z' };
    expect(cellText(instant, 'instant')).toEqual({ text: '2026-11-15 20:36:30', exact: instant.iso });
  });

  it('shows what would be obeyed or hidden in a text', () => {
    expect(cellText('a\u202eb\n', 'text').text).toBe('a⟨U+202E⟩b␊');
  });

  it('stands on the right where it is a number', () => {
    expect(isNumeric('decimal')).toBe(true);
    expect(isNumeric('text')).toBe(false);
  });
});

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

  it('has at least two digits of a double, and all that there are', () => {
    expect(cellText(1234.5, 'double')).toEqual({ text: '1,234.50', exact: null });
    expect(cellText(0.12345, 'double')).toEqual({ text: '0.12345', exact: null });
    expect(cellText(-1231.27, 'double').text).toBe('-1,231.27');
    expect(cellText(0.1 + 0.2, 'double').text).toBe('0.30000000000000004');
    expect(cellText(-0, 'double').text).toBe('-0.00');
    expect([cellText(1e21, 'double').text, cellText(1e-7, 'double').text]).toEqual(['1e+21', '1e-7']);
  });

  it('has every digit of a decimal, those at its end too', () => {
    expect(cellText('12.30', 'decimal')).toEqual({ text: '12.30', exact: null });
    expect(cellText('-0.05', 'decimal').text).toBe('-0.05');
    expect(cellText('12345678901234567890.123456789', 'decimal').text).toBe(
      '12,345,678,901,234,567,890.123456789',
    );
    expect(cellText('-1000', 'decimal').text).toBe('-1,000');
    expect(cellText('100', 'decimal').text).toBe('100');
  });

  it('shows dates, truths and texts that look like numbers as they are', () => {
    expect(cellText('2024-12-31', 'date').text).toBe('2024-12-31');
    expect(cellText(false, 'boolean').text).toBe('false');
    expect(cellText('1234567', 'text').text).toBe('1234567');
  });

  it('shows what is not a finite number as it is', () => {
    expect(cellText(Infinity, 'double').text).toBe('Infinity');
  });

  it('shows points in time with all that they have', () => {
    const instant = { epochNanos: 0n, iso: '2026-11-15T20:36:30.123456789Z' };
    expect(cellText(instant, 'instant')).toEqual({
      text: '2026-11-15 20:36:30.123456789',
      exact: '2026-11-15 20:36:30.123456789 UTC',
    });
  });

  it('writes numbers as the place does, with all of their digits', () => {
    const german = { locale: 'de', zone: 'UTC' } as const;
    const indian = { locale: 'en-IN', zone: 'UTC' } as const;
    expect(cellText(-1234567.5, 'double', german).text).toBe('-1.234.567,50');
    expect(cellText('12345678901234567890.123456789', 'decimal', german).text).toBe(
      '12.345.678.901.234.567.890,123456789',
    );
    expect(cellText(2n ** 60n, 'integer', indian).text).toBe('11,52,92,15,04,60,68,46,976');
    expect(cellText(1.5e-8, 'double', german).text).toBe('1,5e-8');
    expect(cellText(12.5, 'double', { locale: 'ar-EG', zone: 'UTC' }).text).toBe('١٢٫٥٠');
  });

  it('never makes a small number nothing', () => {
    expect([1e-8, -0.004, 5e-324].map((value) => cellText(value, 'double').text)).toEqual([
      '1e-8',
      '-0.004',
      '5e-324',
    ]);
  });

  it('shows what would be obeyed or hidden in a text', () => {
    expect(cellText('a\u202eb\n', 'text').text).toBe('a⟨U+202E⟩b␊');
  });

  it('stands on the right where it is a number', () => {
    expect(isNumeric('decimal')).toBe(true);
    expect(isNumeric('double')).toBe(true);
    expect(isNumeric('date')).toBe(false);
    expect(isNumeric('text')).toBe(false);
  });
});

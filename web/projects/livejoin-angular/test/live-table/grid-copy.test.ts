import type { CellValue, LiveRow } from 'livejoin-client';
import { describe, expect, it } from 'vitest';
import { copiedText } from '../../src/live-table/grid-copy';

const columns = [
  { name: 'balance', kind: 'double', position: 1, width: null },
  { name: 'userId', kind: 'text', position: 0, width: null },
] as const;

const row = (index: number, ...cells: CellValue[]): LiveRow => ({ id: index, index, cells, changes: null });

describe('copied cells', () => {
  it('are one exact value, without quotes', () => {
    const cell = { row: 3, column: 0 };
    expect(copiedText({ first: cell, last: cell }, [row(3, 'u"1', 1234.5678)], columns)).toBe('1234.5678');
    const text = { row: 3, column: 1 };
    expect(copiedText({ first: text, last: text }, [row(3, 'u"1', null)], columns)).toBe('u"1');
  });

  it('are decimals and dates as they are, and the sign of a zero', () => {
    const range = { first: { row: 3, column: 0 }, last: { row: 4, column: 1 } };
    const rows = [row(3, '2024-12-31', '12.30'), row(4, '', -0)];
    expect(copiedText(range, rows, columns)).toBe('12.30\t2024-12-31\n-0\t');
  });

  it('are lines with tabs for a spreadsheet, in the order in which they are shown', () => {
    const range = { first: { row: 3, column: 0 }, last: { row: 4, column: 1 } };
    const rows = [row(3, 'a\tb', 9007199254740993n), row(4, 'say "hi"', null)];
    expect(copiedText(range, rows, columns)).toBe('9007199254740993\t"a\tb"\n\t"say ""hi"""');
  });

  it('are none where a row of them has not arrived', () => {
    const range = { first: { row: 3, column: 0 }, last: { row: 5, column: 0 } };
    expect(copiedText(range, [row(3, 'a', 1), row(5, 'c', 3)], columns)).toBeNull();
  });
});

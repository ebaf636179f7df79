import { instantFrom, isoIn, type CellValue, type LiveRow } from 'livejoin-client';
import { describe, expect, it } from 'vitest';
import { copiedText, type CopyFormat } from '../../src/live-table/grid-copy';
import type { ShownColumn } from '../../src/live-table/shown-columns';

const columns = [
  { name: 'balance', kind: 'double', position: 1, width: null },
  { name: 'userId', kind: 'text', position: 0, width: null },
] as const;

const [balance, user] = columns;

const USUAL: CopyFormat = { zone: 'UTC', withFormulas: false };

const row = (index: number, ...cells: CellValue[]): LiveRow => ({ id: index, index, cells, changes: null });

function copied(rows: number[], chosen: readonly ShownColumn[], ...arrived: LiveRow[]): string | null {
  return copiedText(rows, chosen, new Map(arrived.map((one) => [one.index, one])), USUAL);
}

describe('copied cells', () => {
  it('are one exact value, without quotes', () => {
    expect(copied([3], [balance], row(3, 'u"1', 1234.5678))).toBe('1234.5678');
    expect(copied([3], [user], row(3, 'u"1', null))).toBe('u"1');
  });

  it('are decimals and dates as they are, and the sign of a zero', () => {
    const rows = [row(3, '2024-12-31', '12.30'), row(4, '', -0)];
    expect(copied([3, 4], columns, ...rows)).toBe('12.30\t2024-12-31\n-0\t');
  });

  it('are lines with tabs for a spreadsheet, in the order in which they are shown', () => {
    const rows = [row(3, 'a\tb', 9007199254740993n), row(4, 'say "hi"', null)];
    expect(copied([3, 4], columns, ...rows)).toBe('9007199254740993\t"a\tb"\n\t"say ""hi"""');
  });

  it('are no formulas, unless somebody wants them, and numbers are numbers', () => {
    expect(copied([3], columns, row(3, '=1+1', -5))).toBe("-5\t'=1+1");
    const arrived = new Map([[3, row(3, '=1+1', -5)]]);
    expect(copiedText([3], columns, arrived, { ...USUAL, withFormulas: true })).toBe('-5\t=1+1');
    expect(copied([3], [user], row(3, '@x', null))).toBe("'@x");
  });

  it('have times by the clock of the zone that is chosen, with how far it is from UTC', () => {
    const at = instantFrom('2024-07-01T22:30:00.123456789Z');
    const arrived = new Map([[3, row(3, null, at)]]);
    expect(copiedText([3], [balance], arrived, USUAL)).toBe('2024-07-01T22:30:00.123456789Z');
    expect(copiedText([3], [balance], arrived, { ...USUAL, zone: 'local' })).toBe(isoIn(at, 'local'));
  });

  it('are none where a row of them has not arrived', () => {
    expect(copied([3, 4, 5], [balance], row(3, 'a', 1), row(5, 'c', 3))).toBeNull();
  });
});

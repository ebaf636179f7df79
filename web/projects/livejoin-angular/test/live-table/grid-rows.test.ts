import { describe, expect, it } from 'vitest';
import type { LiveRow } from 'livejoin-client';
import { ENGLISH } from 'livejoin-angular';
import { CellWriter, type CellFormatter } from '../../src/live-table/cell-writer';
import { gridRows } from '../../src/live-table/grid-rows';

const columns = [
  { name: 'userId', kind: 'text', position: 0, width: null },
  { name: 'balance', kind: 'double', position: 1, width: null },
] as const;

const KEYS = new Set([0]);

function writer(shown: readonly (typeof columns)[number][] = columns, formatter?: CellFormatter): CellWriter {
  return new CellWriter(shown, KEYS, { locale: 'en', zone: 'UTC' }, ENGLISH, formatter);
}

describe('the rows of a grid', () => {
  it('stand where rows will be, before these have arrived, and end with the table', () => {
    const row: LiveRow = { id: 1, index: 6, cells: ['u6', null], changes: null };
    const rows = gridRows({ first: 5, last: 9 }, 8, new Map([[6, row]]), writer(), 0);
    expect(rows.map(({ index, cells }) => [index, cells?.map(({ text }) => text) ?? null])).toEqual([
      [5, null],
      [6, ['u6', 'null']],
      [7, null],
    ]);
  });

  it('have their cells in the order in which columns are shown', () => {
    const row = { id: 1, index: 0, cells: ['u6', 2], changes: null };
    const cells = writer([...columns].reverse()).cells(row, 0);
    expect(cells.map(({ column, text }) => [column, text])).toEqual([
      ['balance', '2.00'],
      ['userId', 'u6'],
    ]);
    expect(cells.map(({ isKey }) => isKey)).toEqual([false, true]);
  });

  it('flash up or down for a change that has just happened, differently each time, and not for an old one', () => {
    const flashAt = (count: number, from: number | null, now: number) => {
      const row = { id: 1, index: 0, cells: ['u', 1], changes: [undefined, { count, at: 1_000, from }] };
      return writer()
        .cells(row, now)
        .map(({ flash }) => flash);
    };
    expect(flashAt(1, 0.5, 1_010)).toEqual([null, 'rise-b']);
    expect(flashAt(2, 3, 1_010)).toEqual([null, 'fall-a']);
    expect(flashAt(2, null, 1_010)).toEqual([null, 'change-a']);
    expect(flashAt(2, 3, 5_000)).toEqual([null, null]);
  });

  it('say what a cell was before, for as long as its row is in view', () => {
    const row = { id: 1, index: 0, cells: ['u', 1], changes: [undefined, { count: 1, at: 0, from: 1234.5 }] };
    expect(writer().cells(row, 9_999)[1]?.hint).toBe('1.00\nBefore: 1,234.50');
    expect(writer().cells(row, 9_999)[0]?.hint).toBe('u');
  });

  it('are written once, until they change or their flash is over', () => {
    const same = writer();
    const row = { id: 1, index: 0, cells: ['u', 1], changes: [undefined, { count: 1, at: 0, from: 2 }] };
    const first = same.cells(row, 100);
    expect(same.cells(row, 200)).toBe(first);
    expect(same.cells(row, 9_000)[1]?.flash).toBeNull();
    expect(same.cells(row, 9_100)).toBe(same.cells(row, 9_200));
  });

  it('are written by the application where it wants to', () => {
    const own: CellFormatter = (value, { name }) => (name === 'balance' ? `EUR ${String(value)}` : null);
    const row = { id: 1, index: 0, cells: ['u', null], changes: null };
    const cells = writer(columns, own).cells(row, 0);
    expect(cells.map(({ text, isNull }) => [text, isNull])).toEqual([
      ['u', false],
      ['EUR null', false],
    ]);
  });
});

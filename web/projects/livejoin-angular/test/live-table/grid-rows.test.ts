import { describe, expect, it } from 'vitest';
import { gridRows } from '../../src/live-table/grid-rows';

const columns = [
  { name: 'userId', kind: 'text', position: 0, width: null },
  { name: 'balance', kind: 'double', position: 1, width: null },
] as const;

const KEYS = new Set([0]);

describe('the rows of a grid', () => {
  it('stand where rows will be, before these have arrived, and end with the table', () => {
    const rows = gridRows(
      { first: 5, last: 9 },
      8,
      [{ id: 1, index: 6, cells: ['u6', null], changes: null }],
      columns,
      KEYS,
      0,
    );
    expect(rows.map(({ index, cells }) => [index, cells?.map(({ text }) => text) ?? null])).toEqual([
      [5, null],
      [6, ['u6', 'null']],
      [7, null],
    ]);
  });

  it('have their cells in the order in which columns are shown', () => {
    const row = { id: 1, index: 0, cells: ['u6', 2], changes: null };
    const shown = [...columns].reverse();
    const [first] = gridRows({ first: 0, last: 0 }, 1, [row], shown, KEYS, 0);
    expect(first?.cells?.map(({ column, text }) => [column, text])).toEqual([
      ['balance', '2.00'],
      ['userId', 'u6'],
    ]);
    expect(first?.cells?.map(({ isKey }) => isKey)).toEqual([false, true]);
  });

  it('flash for a change that has just happened, differently each time, and not for an old one', () => {
    const flashAt = (count: number, now: number) => {
      const row = { id: 1, index: 0, cells: ['u', 1], changes: [undefined, { count, at: 1_000 }] };
      return gridRows({ first: 0, last: 0 }, 1, [row], columns, KEYS, now)[0]?.cells?.map(
        ({ flash }) => flash,
      );
    };
    expect(flashAt(1, 1_010)).toEqual([null, 'b']);
    expect(flashAt(2, 1_010)).toEqual([null, 'a']);
    expect(flashAt(2, 5_000)).toEqual([null, null]);
  });
});

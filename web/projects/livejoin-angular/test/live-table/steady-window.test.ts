import { describe, expect, it } from 'vitest';
import type { GridRow } from '../../src/live-table/grid-rows';
import { steadyWindow } from '../../src/live-table/steady-window';

const SIZE = 110;
const END = { first: 100, last: 109 };

function arrived(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    id: 1,
    index: first + i,
    cells: [],
    changes: null,
  }));
}

function drawn(first: number, last: number): Pick<GridRow, 'index' | 'cells'>[] {
  return arrived(first, last).map(({ index }) => ({ index, cells: [] }));
}

describe('what a grid that follows draws', () => {
  it('is the end as soon as its rows are here', () => {
    expect(steadyWindow(END, SIZE, arrived(64, 109), drawn(95, 104), true)).toEqual(END);
  });

  it('is the newest rows that are here, while the end is still on its way', () => {
    expect(steadyWindow(END, SIZE, arrived(64, 106), drawn(95, 104), true)).toEqual({ first: 97, last: 106 });
  });

  it('stays as it is while nothing newer is here', () => {
    expect(steadyWindow(END, SIZE, [], drawn(95, 104), true)).toBeNull();
    expect(steadyWindow(END, SIZE, arrived(64, 104), drawn(95, 104), true)).toBeNull();
  });

  it('stays as it is while what is newer does not fill the grid', () => {
    expect(steadyWindow(END, SIZE, arrived(101, 106), drawn(95, 104), true)).toBeNull();
  });

  it('is the end, with places for its rows, when the grid opens, and never the oldest rows', () => {
    expect(steadyWindow(END, SIZE, arrived(0, 31), [], true)).toEqual(END);
    const places = drawn(95, 104).map(({ index }) => ({ index, cells: null }));
    expect(steadyWindow(END, SIZE, arrived(0, 31), places, true)).toEqual(END);
  });

  it('is nothing where the table has become empty', () => {
    expect(steadyWindow({ first: 0, last: 0 }, 0, [], drawn(95, 104), true)).toEqual({ first: 0, last: 0 });
  });

  it('is the newest of what is here, after a change of generation, and never what it has drawn', () => {
    expect(steadyWindow(END, SIZE, arrived(64, 104), drawn(95, 104), false)).toEqual({
      first: 95,
      last: 104,
    });
    expect(steadyWindow(END, SIZE, arrived(101, 106), drawn(95, 104), false)).toEqual({
      first: 101,
      last: 106,
    });
    expect(steadyWindow(END, SIZE, [], drawn(95, 104), false)).toEqual(END);
  });
});

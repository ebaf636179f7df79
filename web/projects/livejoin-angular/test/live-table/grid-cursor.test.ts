import { signal } from '@angular/core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LiveRow } from 'livejoin-client';
import { GridCursor, HEAD_ROW } from '../../src/live-table/grid-cursor';
import { arrivedRows } from '../../src/live-table/row-spot';

describe('GridCursor', () => {
  let cursor: GridCursor;
  const rows = signal(100);

  beforeEach(() => {
    rows.set(100);
    cursor = new GridCursor(rows, () => 4);
  });

  function press(key: string, { control = false, shift = false } = {}) {
    const target = cursor.target(key, control, 10);
    if (target !== null) cursor.moveTo(target, shift);
    return cursor.cell();
  }

  it('is nowhere until somebody comes', () => {
    expect(cursor.cell()).toBeNull();
  });

  it('moves by arrows and stays inside', () => {
    cursor.moveTo({ row: 0, column: 0 });
    expect(press('ArrowLeft')).toEqual({ row: 0, column: 0 });
    expect(press('ArrowRight')).toEqual({ row: 0, column: 1 });
    expect(press('ArrowDown')).toEqual({ row: 1, column: 1 });
    expect(press('End')).toEqual({ row: 1, column: 3 });
    expect(press('ArrowRight')).toEqual({ row: 1, column: 3 });
    expect(press('Home')).toEqual({ row: 1, column: 0 });
    expect(cursor.target('x', false, 10)).toBeNull();
  });

  it('reaches the heads above the first row, and no further', () => {
    cursor.moveTo({ row: 0, column: 2 });
    expect(press('ArrowUp')).toEqual({ row: HEAD_ROW, column: 2 });
    expect(press('ArrowUp')).toEqual({ row: HEAD_ROW, column: 2 });
    expect(press('PageUp')).toEqual({ row: HEAD_ROW, column: 2 });
    expect(press('ArrowDown')).toEqual({ row: 0, column: 2 });
  });

  it('moves by pages and to both ends', () => {
    cursor.moveTo({ row: 50, column: 1 });
    expect(press('PageDown')).toEqual({ row: 60, column: 1 });
    expect(press('PageUp')).toEqual({ row: 50, column: 1 });
    expect(press('Home', { control: true })).toEqual({ row: 0, column: 0 });
    expect(press('PageUp')).toEqual({ row: 0, column: 0 });
    expect(press('End', { control: true })).toEqual({ row: 99, column: 3 });
  });

  it('stays at the end while the table grows, until it is moved', () => {
    cursor.moveTo({ row: 99, column: 0 });
    rows.set(110);
    expect(cursor.cell()?.row).toBe(99);
    press('End', { control: true });
    rows.set(120);
    expect([cursor.cell()?.row, cursor.isAtEnd()]).toEqual([119, true]);
    press('ArrowUp');
    rows.set(130);
    expect([cursor.cell()?.row, cursor.isAtEnd()]).toEqual([118, false]);
  });

  it('is inside again after a table has shrunk', () => {
    cursor.moveTo({ row: 99, column: 0 });
    rows.set(3);
    expect(cursor.cell()).toEqual({ row: 2, column: 0 });
  });

  it('selects from where it was, in both directions, until it moves without', () => {
    cursor.moveTo({ row: 5, column: 2 });
    press('ArrowDown', { shift: true });
    press('ArrowLeft', { shift: true });
    expect(cursor.range()).toEqual({ first: { row: 5, column: 1 }, last: { row: 6, column: 2 } });
    expect([cursor.isSelected(6, 1), cursor.isSelected(7, 1), cursor.isSelected(6, 3)]).toEqual([
      true,
      false,
      false,
    ]);
    press('ArrowDown');
    expect(cursor.range()).toBeNull();
  });
});

describe('a selection', () => {
  const arrived = signal(arrivedRows([]));
  let cursor: GridCursor;

  /** The rows with these ids, from that place of the table on. */
  function show(first: number, ...ids: number[]): void {
    arrived.set(
      arrivedRows(ids.map((id, at): LiveRow => ({ id, index: first + at, cells: [], changes: null }))),
    );
  }

  beforeEach(() => {
    cursor = new GridCursor(
      () => 1_000,
      () => 4,
      arrived,
    );
    show(0, 10, 11, 12, 13, 14, 15);
    cursor.moveTo({ row: 1, column: 0 });
    cursor.moveTo({ row: 3, column: 1 }, true);
  });

  it('is that of its rows, wherever they move to', () => {
    expect(cursor.selectedRows()).toEqual([1, 2, 3]);
    show(0, 99, 10, 11, 12, 13, 14);
    expect(cursor.selectedRows()).toEqual([2, 3, 4]);
    expect(cursor.cell()).toEqual({ row: 4, column: 1 });
    show(0, 13, 99, 11, 10, 14, 12);
    expect(cursor.selectedRows()).toEqual([0, 2, 5]);
    expect([cursor.isSelected(1, 0), cursor.isSelected(2, 0), cursor.isSelected(2, 2)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('is less by a row that is gone, and not more by one that comes between', () => {
    show(0, 10, 11, 13, 14, 15);
    expect(cursor.selectedRows()).toEqual([1, 2]);
    show(0, 10, 11, 77, 13, 14);
    expect(cursor.selectedRows()).toEqual([1, 3]);
  });

  it('goes on from where it began, however far that has moved', () => {
    show(0, 98, 99, 10, 11, 12, 13, 14);
    cursor.moveTo({ row: 6, column: 1 }, true);
    expect(cursor.selectedRows()).toEqual([3, 4, 5, 6]);
  });

  it('stays where it was while its rows are not at hand', () => {
    show(500, 60, 61, 62);
    expect(cursor.selectedRows()).toEqual([1, 2, 3]);
    show(0, 20, 21, 22, 23);
    expect(cursor.selectedRows()).toEqual([1, 2, 3]);
    show(0, 99, 20, 21, 22, 23);
    expect(cursor.selectedRows()).toEqual([2, 3, 4]);
  });

  it('ends where none of its rows is there any more, and the focus stays', () => {
    show(0, 30, 31, 32, 33);
    expect([cursor.range(), cursor.cell()]).toEqual([null, { row: 3, column: 1 }]);
  });

  it('of very many rows is a range of places', () => {
    const large = new GridCursor(
      () => 10_000_000,
      () => 4,
      arrived,
    );
    large.moveTo({ row: 0, column: 0 });
    large.moveTo({ row: 'last', column: 3 }, true);
    expect(large.range()?.last).toEqual({ row: 9_999_999, column: 3 });
    expect(large.isSelected(5_000_000, 2)).toBe(true);
  });
});

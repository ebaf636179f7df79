import { signal } from '@angular/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { GridCursor, HEAD_ROW, isInside } from '../../src/live-table/grid-cursor';

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
    const range = cursor.range();
    expect(range).toEqual({ first: { row: 5, column: 1 }, last: { row: 6, column: 2 } });
    expect(range && [isInside(range, 6, 1), isInside(range, 7, 1), isInside(range, 6, 3)]).toEqual([
      true,
      false,
      false,
    ]);
    press('ArrowDown');
    expect(cursor.range()).toBeNull();
  });
});

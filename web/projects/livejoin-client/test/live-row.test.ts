import { describe, expect, it } from 'vitest';
import { readRows, type LiveRow } from '../src/live-row';
import type { CellValue, Page } from '../src/table-server';
import { COLUMNS } from './fake-table-server';

function pageOf(offset: number, rows: CellValue[][]): Page {
  return {
    offset,
    length: rows.length,
    cell: (row, column) => rows[row]?.[COLUMNS.findIndex(({ name }) => name === column)] ?? null,
  };
}

function byIndex(rows: LiveRow[]): Map<number, LiveRow> {
  return new Map(rows.map((row) => [row.index, row]));
}

describe('rows read from a page', () => {
  const first = readRows(
    pageOf(40, [
      ['u1', 1],
      ['u2', null],
    ]),
    COLUMNS,
    new Map(),
    100,
  );

  it('know their position in the whole table', () => {
    expect(first.map(({ index, cells }) => [index, cells])).toEqual([
      [40, ['u1', 1]],
      [41, ['u2', null]],
    ]);
  });

  it('carry no changes when they come into view', () => {
    expect(first.every(({ changes }) => changes === null)).toBe(true);
  });

  it('stay the same objects while nothing changes', () => {
    const again = readRows(
      pageOf(40, [
        ['u1', 1],
        ['u2', null],
      ]),
      COLUMNS,
      byIndex(first),
      200,
    );
    expect(again[0]).toBe(first[0]);
    expect(again[1]).toBe(first[1]);
  });

  it('say which cell changed, how often and when', () => {
    const second = readRows(
      pageOf(40, [
        ['u1', 2],
        ['u2', 5],
      ]),
      COLUMNS,
      byIndex(first),
      200,
    );
    expect(second[0]?.changes).toEqual([undefined, { count: 1, at: 200 }]);
    expect(second[1]?.changes).toEqual([undefined, { count: 1, at: 200 }]);
    const third = readRows(
      pageOf(40, [
        ['u1', 3],
        ['u2', 5],
      ]),
      COLUMNS,
      byIndex(second),
      300,
    );
    expect(third[0]?.changes).toEqual([undefined, { count: 2, at: 300 }]);
    expect(third[1]).toBe(second[1]);
  });

  it('are new rows, not changed ones, where another key has moved to their position', () => {
    const moved = readRows(
      pageOf(40, [
        ['u0', 9],
        ['u1', 1],
      ]),
      COLUMNS,
      byIndex(first),
      200,
    );
    expect(moved.map(({ changes }) => changes)).toEqual([null, null]);
  });

  it('are moved rows, not changed ones, where the same cells stood elsewhere, even under one key', () => {
    const history = readRows(
      pageOf(40, [
        ['u1', 1],
        ['u1', 2],
        ['u1', 3],
      ]),
      COLUMNS,
      new Map(),
      100,
    );
    const moved = readRows(
      pageOf(40, [
        ['u1', 2],
        ['u1', 3],
        ['u1', 4],
      ]),
      COLUMNS,
      byIndex(history),
      200,
    );
    expect(moved.map(({ changes }) => changes !== null)).toEqual([false, false, true]);
  });

  it('compare points in time by their value', () => {
    const columns = [COLUMNS[0], { name: 'when', kind: 'instant' as const }].filter((c) => c !== undefined);
    const page = (nanos: bigint): Page => ({
      offset: 0,
      length: 1,
      cell: (_, column) => (column === 'when' ? { epochNanos: nanos, iso: '' } : 'k'),
    });
    const before = readRows(page(1n), columns, new Map(), 1);
    expect(readRows(page(1n), columns, byIndex(before), 2)[0]).toBe(before[0]);
    expect(readRows(page(2n), columns, byIndex(before), 2)[0]?.changes).not.toBeNull();
  });
});

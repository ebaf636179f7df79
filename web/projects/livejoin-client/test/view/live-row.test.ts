import { beforeEach, describe, expect, it } from 'vitest';
import { RowReader, type LiveRow } from '../../src/view/live-row';
import type { CellValue, Page } from '../../src/table-server';

function pageOf(offset: number, rows: CellValue[][]): Page {
  return { offset, rows, size: offset + rows.length, generation: null };
}

describe('rows read from pages', () => {
  let reader: RowReader;

  beforeEach(() => {
    reader = new RowReader();
  });

  function read(rows: CellValue[][], now: number, offset = 40): LiveRow[] {
    reader.read(pageOf(offset, rows), now);
    return [...reader.rows.values()];
  }

  function read12(): LiveRow[] {
    return read(
      [
        ['u1', 1],
        ['u2', null],
      ],
      100,
    );
  }

  it('know their position in the whole table', () => {
    expect(read12().map(({ index, cells }) => [index, cells])).toEqual([
      [40, ['u1', 1]],
      [41, ['u2', null]],
    ]);
  });

  it('carry no changes when they come into view, and ids of their own', () => {
    const rows = read12();
    expect(rows.every(({ changes }) => changes === null)).toBe(true);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
  });

  it('are recognised by all of their keys, wherever these stand', () => {
    const keys = [1, 2];
    reader.read(pageOf(0, [[1, 'a', 'x'], [2, 'a', 'y']]), 100, keys); // prettier-ignore
    const ids = [...reader.rows.values()].map(({ id }) => id);
    reader.read(pageOf(0, [[9, 'a', 'y'], [8, 'a', 'x'], [7, 'b', 'x']]), 200, keys); // prettier-ignore
    const rows = [...reader.rows.values()];
    expect(rows.slice(0, 2).map(({ id }) => id)).toEqual([...ids].reverse());
    expect(ids).not.toContain(rows[2]?.id);
    expect(rows[0]?.changes?.map((change) => change?.count)).toEqual([1, undefined, undefined]);
  });

  it('stay the same objects while nothing changes', () => {
    const first = read12();
    const again = read12();
    expect(again[0]).toBe(first[0]);
    expect(again[1]).toBe(first[1]);
  });

  it('say which cell changed, how often and when, and keep their ids', () => {
    const first = read12();
    const second = read(
      [
        ['u1', 2],
        ['u2', 5],
      ],
      200,
    );
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(second[0]?.changes).toEqual([undefined, { count: 1, at: 200, from: 1 }]);
    expect(second[1]?.changes).toEqual([undefined, { count: 1, at: 200, from: null }]);
    const third = read(
      [
        ['u1', 3],
        ['u2', 5],
      ],
      300,
    );
    expect(third[0]?.changes).toEqual([undefined, { count: 2, at: 300, from: 2 }]);
    expect(third[1]).toBe(second[1]);
  });

  it('keep their ids when they move, and are not changed by that', () => {
    const first = read12();
    const moved = read(
      [
        ['u0', 9],
        ['u1', 1],
        ['u2', null],
      ],
      200,
    );
    expect(moved.map(({ changes }) => changes)).toEqual([null, null, null]);
    expect(moved.slice(1).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(first.map(({ id }) => id)).not.toContain(moved[0]?.id);
  });

  it('are recognised by their key when they move and change at once', () => {
    const [first] = read12();
    const sorted = read(
      [
        ['u2', null],
        ['u1', 7],
      ],
      200,
    );
    expect(sorted[1]?.id).toBe(first?.id);
    expect(sorted[1]?.changes).toEqual([undefined, { count: 1, at: 200, from: 1 }]);
  });

  it('are moved rows, not changed ones, where the same cells stood elsewhere, even under one key', () => {
    const history = read(
      [
        ['u1', 1],
        ['u1', 2],
        ['u1', 3],
      ],
      100,
    );
    const moved = read(
      [
        ['u1', 2],
        ['u1', 3],
        ['u1', 4],
      ],
      200,
    );
    expect(moved.slice(0, 2).map(({ id }) => id)).toEqual(history.slice(1).map(({ id }) => id));
    expect(moved.map(({ changes }) => changes !== null)).toEqual([false, false, true]);
  });

  it('never share an id, also where rows are the same in every cell', () => {
    const twins = read(
      [
        ['u1', 1],
        ['u1', 1],
      ],
      100,
    );
    const triplets = read(
      [
        ['u1', 1],
        ['u1', 1],
        ['u1', 1],
      ],
      200,
      39,
    );
    expect(new Set(triplets.map(({ id }) => id)).size).toBe(3);
    expect(triplets.map(({ id }) => id)).toEqual(expect.arrayContaining(twins.map(({ id }) => id)));
  });

  it('are in the order of their positions', () => {
    read12();
    const rows = read(
      [
        ['u9', 1],
        ['u2', null],
        ['u1', 1],
      ],
      200,
      39,
    );
    expect(rows.map(({ index }) => index)).toEqual([39, 40, 41]);
  });

  it('are newcomers after what was there is forgotten', () => {
    const [before] = read12();
    reader.forget();
    expect(read12()[0]?.id).not.toBe(before?.id);
  });

  it('compare points in time by their value', () => {
    const readAt = (epochNanos: bigint): LiveRow | undefined => {
      reader.read(pageOf(0, [['k', { epochNanos, iso: '' }]]), 1);
      return reader.rows.get(0);
    };
    const before = readAt(1n);
    expect(readAt(1n)).toBe(before);
    expect(readAt(2n)?.changes).not.toBeNull();
  });
});

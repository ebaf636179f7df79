import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DoorTable } from '../../src/door/door-table';
import { UnreadableError, type Change, type ClientMessage, type WireColumn } from '../../src/door/wire';
import type { CellValue, Page } from '../../src/table-server';

const COLUMNS: readonly WireColumn[] = [
  { name: 'userId', type: 'text' },
  { name: 'age', type: 'integer' },
];

describe('DoorTable', () => {
  let said: ClientMessage[];
  let table: DoorTable;
  const closed = vi.fn();

  beforeEach(() => {
    closed.mockReset();
    table = tableWith(null);
  });

  function tableWith(names: readonly string[] | null): DoorTable {
    said = [];
    return new DoorTable(7, COLUMNS, names, { say: (message) => said.push(message) }, closed);
  }

  /** As a change of the first look at ten rows; all of them where `at` is not given. */
  function change(rows: unknown[][], more: Partial<Change> = {}): Change {
    return { view: 7, look: 1, generation: 4, size: rows.length, first: 0, at: null, rows, ...more };
  }

  function pageAfter(arrived: Change): Page {
    const page = table.changed(arrived);
    if (page === null) throw new Error('a change of another look');
    return page;
  }

  it('has the columns that are wanted, in that order, wherever the server has them', () => {
    table = tableWith(['age', 'height', 'userId']);
    expect(table.columns).toEqual([
      { name: 'age', kind: 'integer' },
      { name: 'userId', kind: 'text' },
    ]);
    table.look(0, 9);
    expect(table.changed(change([['u1', '36']]))?.rows).toEqual([[36, 'u1']]);
  });

  it('says of its columns which is a key and where each comes from', () => {
    const columns: readonly WireColumn[] = [
      { name: 'toString', type: 'decimal', key: true, source: 'orders' },
      { name: '__proto__', type: 'date' },
    ];
    table = new DoorTable(7, columns, ['__proto__', 'toString'], { say: () => undefined }, closed);
    expect(table.columns).toEqual([
      { name: '__proto__', kind: 'date' },
      { name: 'toString', kind: 'decimal', key: true, source: 'orders' },
    ]);
    table.look(0, 9);
    expect(table.changed(change([['1.50', '2024-12-31']]))?.rows).toEqual([['2024-12-31', '1.50']]);
  });

  it('counts its looks', () => {
    table.look(0, 9);
    table.look(40, 49);
    expect(said).toEqual([
      { do: 'look', view: 7, look: 1, first: 0, last: 9 },
      { do: 'look', view: 7, look: 2, first: 40, last: 49 },
    ]);
  });

  it('is a page of what is looked at', () => {
    table.look(40, 49);
    expect(table.changed(change([['u1', null]], { first: 40, size: 41 }))).toEqual({
      offset: 40,
      size: 41,
      generation: 4,
      rows: [['u1', null]],
    });
  });

  it('replaces, adds and drops rows, and lets those be the same that have not changed', () => {
    table.look(0, 9);
    const before = table.changed(
      change([
        ['u1', 1],
        ['u2', 2],
        ['u3', 3],
      ]),
    );
    const more = table.changed(
      change(
        [
          ['u2', 7],
          ['u4', 4],
        ],
        { at: [1, 3], size: 4 },
      ),
    );
    expect(more?.rows).toEqual([
      ['u1', 1],
      ['u2', 7],
      ['u3', 3],
      ['u4', 4],
    ]);
    expect(more?.rows[2]).toBe(before?.rows[2]);
    const fewer = table.changed(change([['u1', 9]], { at: [0], size: 2, generation: 5 }));
    expect(fewer).toEqual({
      offset: 0,
      size: 2,
      generation: 5,
      rows: [
        ['u1', 9],
        ['u2', 7],
      ],
    });
  });

  it('leaves a page as it was that was already shown', () => {
    table.look(0, 9);
    const before = table.changed(
      change([
        ['u1', 1],
        ['u2', 2],
      ]),
    );
    table.changed(change([['u1', 7]], { at: [0], size: 1 }));
    expect(before).toMatchObject({
      size: 2,
      rows: [
        ['u1', 1],
        ['u2', 2],
      ],
    });
  });

  it('has no rows where the table ends before them', () => {
    table.look(40, 49);
    expect(table.changed(change([], { first: 40, size: 3 }))).toMatchObject({
      offset: 40,
      size: 3,
      rows: [],
    });
  });

  it('knows changes of what is no longer looked at, and needs no rows for those', () => {
    table.look(0, 9);
    table.changed(change([['u1', 1]]));
    table.look(40, 49);
    expect(table.changed(change([['u1', 2]], { at: [0], size: 1 }))).toBeNull();
  });

  it.each<[string, Partial<Change>]>([
    ['a row with too few cells', { rows: [['u1']] }],
    ['a cell of another type', { rows: [['u1', 'old']] }],
    ['more rows than the table has', { size: 0 }],
    ['a row beyond what is looked at', { at: [10], size: 20 }],
    ['a row before what is looked at', { at: [0], first: 1, size: 20 }],
    ['a row beyond the end of the table', { at: [3], size: 3 }],
    ['a row without the one before it', { at: [5], size: 20 }],
  ])('does not take %s', (_, broken) => {
    table.look(0, 9);
    table.changed(change([['u1', 1]]));
    expect(() => table.changed(change([['u2', 2]], broken))).toThrow(UnreadableError);
  });

  it('does not take more rows than are looked at', () => {
    table.look(0, 0);
    expect(() =>
      table.changed(
        change([
          ['u1', 1],
          ['u2', 2],
        ]),
      ),
    ).toThrow(UnreadableError);
  });

  it('does not take a change of rows that it never had', () => {
    table.look(0, 9);
    expect(() => table.changed(change([['u1', 1]], { at: [0] }))).toThrow('never sent');
  });

  it('shows pages and tells of a failure until it is closed', () => {
    const pages = vi.fn();
    const failed = vi.fn();
    table.onPage(pages);
    table.onFailed(failed);
    table.look(0, 9);
    const page = pageAfter(change([]));
    table.show(page);
    table.close();
    table.show(page);
    table.fail('later');
    table.look(0, 9);
    expect([pages.mock.calls, failed.mock.calls]).toEqual([[[page]], []]);
    expect(said.slice(1)).toEqual([{ do: 'close', view: 7 }]);
    expect(closed).toHaveBeenCalledOnce();
  });

  it('does not show a page of rows that are no longer looked at', () => {
    const pages = vi.fn();
    table.onPage(pages);
    table.look(0, 9);
    const page = pageAfter(change([]));
    table.look(40, 49);
    table.show(page);
    expect(pages).not.toHaveBeenCalled();
  });

  it('is over when it has failed', () => {
    const failed = vi.fn();
    table.onFailed(failed);
    table.fail('gone');
    table.fail('gone twice');
    table.look(0, 9);
    table.close();
    expect([failed.mock.calls, said]).toEqual([[['gone']], []]);
    expect(closed).toHaveBeenCalledOnce();
  });
});

describe('whatever the server sends, in whatever portions', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
    'the rows are those of a model (seed %i)',
    (seed) => {
      const below = randomBelow(seed);
      const said: ClientMessage[] = [];
      const table = new DoorTable(
        1,
        COLUMNS,
        null,
        { say: (message) => said.push(message) },
        () => undefined,
      );
      const history: { page: Page; rows: CellValue[][] }[] = [];
      const stray: Change[] = [];
      let model: CellValue[][] = [];
      let generation = 1;
      let look = 0;
      let window = { first: 0, last: 0 };
      /** What the server has sent of this look; null until it has. */
      let sent: CellValue[][] | null = null;

      for (let step = 0; step < 200; step += 1) {
        if (step === 0 || below(12) === 0) {
          const first = below(15);
          window = { first, last: first + below(10) };
          table.look(window.first, window.last);
          look += 1;
          sent = null;
        }
        model = model.map((row) => (below(4) === 0 ? [row[0] ?? null, below(100)] : row));
        if (below(3) === 0) model = model.slice(0, below(model.length + 1));
        for (let more = below(6); more > 0; more -= 1) model = [...model, [`u${String(below(1000))}`, null]];
        if (below(10) === 0) {
          generation = below(5);
          model = Array.from({ length: below(25) }, () => [`g${String(below(9))}`, below(9)]);
        }

        const { first } = window;
        const rows = model.slice(first, window.last + 1);
        const before = sent;
        const at = rows.flatMap((row, place) => (before?.[place] === row ? [] : [first + place]));
        const isDelta = before !== null && below(5) > 0;
        const change: Change = {
          view: 1,
          look,
          generation,
          size: model.length,
          first,
          at: isDelta ? at : null,
          rows: isDelta ? at.map((index) => model[index] ?? []) : rows,
        };
        sent = rows;
        const late = stray[below(stray.length + 1)];
        if (late !== undefined && late.look !== look) expect(table.changed(late)).toBeNull();
        stray.push(change);
        const page = table.changed(change);
        expect(page).toEqual({ offset: first, size: model.length, generation, rows });
        if (page !== null) history.push({ page, rows: rows.map((row) => [...row]) });
      }

      for (const { page, rows } of history) expect(page.rows).toEqual(rows);
      expect(said).toHaveLength(look);
    },
  );
});

/** Repeatable: the same seed gives the same numbers (mulberry32). */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

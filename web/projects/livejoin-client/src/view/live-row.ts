import type { CellValue, Page } from '../table-server';

/** A cell's last change: how often it has changed in this view, when it did so last, and what it was before. */
export interface CellChange {
  readonly count: number;
  readonly at: number;
  readonly from: CellValue;
}

export interface LiveRow {
  /** Stays with the row while it is in view, also when it moves or its cells change. No other row has it, of this view or another. */
  readonly id: number;
  /** Position in the whole table, from 0. */
  readonly index: number;
  /** In the order of the columns. */
  readonly cells: readonly CellValue[];
  /** In the order of the columns; null where nothing has changed since the row came into view. */
  readonly changes: readonly (CellChange | undefined)[] | null;
}

let nextId = 1;

interface Arrival {
  readonly index: number;
  readonly cells: readonly CellValue[];
}

/**
 * Turns pages into rows and notes what differs from the page before. A row without a change stays the same object.
 *
 * The tables have no row ids, so a row is recognised: by the same cells at the same position, then by the same cells
 * at another one (it has merely moved), then by the same key (its other cells have changed), those at the same
 * position before others.
 */
export class RowReader {
  #rows: ReadonlyMap<number, LiveRow> = new Map();

  /** By their positions. */
  get rows(): ReadonlyMap<number, LiveRow> {
    return this.#rows;
  }

  /** `keys` are the places of the key among the cells. */
  read(page: Page, now: number, keys: readonly number[] = [0]): void {
    const rows = new Map<number, LiveRow>();
    const arrivals: Arrival[] = [];
    const gone = new Set(this.#rows.values());
    for (const [position, cells] of page.rows.entries()) {
      const index = page.offset + position;
      const before = this.#rows.get(index);
      // Also keeps its place in the order of the map.
      rows.set(index, before ?? { id: 0, index, cells, changes: null });
      if (before !== undefined && sameCells(before.cells, cells)) gone.delete(before);
      else arrivals.push({ index, cells });
    }
    if (arrivals.length > 0) {
      for (const row of this.#recognised(arrivals, gone, now, keys)) rows.set(row.index, row);
    }
    this.#rows = rows;
  }

  /** The next page is the first one, as after a change of columns. */
  forget(): void {
    this.#rows = new Map();
  }

  *#recognised(
    arrivals: readonly Arrival[],
    gone: ReadonlySet<LiveRow>,
    now: number,
    keys: readonly number[],
  ): Iterable<LiveRow> {
    const byContent = new Claims(gone, ({ cells }) => cells.map(textOf).join('\u0000'));
    const strangers: Arrival[] = [];
    for (const arrival of arrivals) {
      const moved = byContent.take(arrival);
      if (moved === null) strangers.push(arrival);
      else yield { ...moved, index: arrival.index, changes: null };
    }
    const byKey = new Claims(byContent.left(), ({ cells }) =>
      keys.map((place) => textOf(cells[place])).join('\u0000'),
    );
    for (const arrival of strangers) {
      const before = byKey.take(arrival);
      yield before === null ? this.#newcomer(arrival) : changed(before, arrival, now);
    }
  }

  #newcomer({ index, cells }: Arrival): LiveRow {
    const id = nextId;
    nextId += 1;
    return { id, index, cells, changes: null };
  }
}

/** Rows that were there before, each to be recognised once. */
class Claims {
  readonly #groups = new Map<string, Map<number, LiveRow>>();

  constructor(
    rows: Iterable<LiveRow>,
    private readonly nameOf: (row: Arrival) => string,
  ) {
    for (const row of rows) {
      const name = nameOf(row);
      const group = this.#groups.get(name);
      if (group === undefined) this.#groups.set(name, new Map([[row.index, row]]));
      else group.set(row.index, row);
    }
  }

  /** The one at the same position, else the first. */
  take(arrival: Arrival): LiveRow | null {
    const group = this.#groups.get(this.nameOf(arrival));
    const [first] = group?.values() ?? [];
    const row = group?.get(arrival.index) ?? first;
    if (group === undefined || row === undefined) return null;
    group.delete(row.index);
    return row;
  }

  *left(): Iterable<LiveRow> {
    for (const group of this.#groups.values()) yield* group.values();
  }
}

function changed(before: LiveRow, { index, cells }: Arrival, now: number): LiveRow {
  const changes = cells.map((cell, column) => {
    const last = before.changes?.[column];
    return sameCell(before.cells[column], cell) ? last : changeOf(last, now, before.cells[column]);
  });
  return { id: before.id, index, cells, changes };
}

function changeOf(last: CellChange | undefined, at: number, from: CellValue | undefined): CellChange {
  return { count: (last?.count ?? 0) + 1, at, from: from ?? null };
}

function sameCells(a: readonly CellValue[], b: readonly CellValue[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((cell, column) => sameCell(cell, b[column]));
}

function sameCell(a: CellValue | undefined, b: CellValue | undefined): boolean {
  if (isInstant(a) && isInstant(b)) return a.epochNanos === b.epochNanos;
  return Object.is(a, b);
}

function textOf(cell: CellValue | undefined): string {
  return isInstant(cell) ? cell.epochNanos.toString() : `${typeof cell} ${String(cell)}`;
}

function isInstant(value: CellValue | undefined): value is Extract<CellValue, { iso: string }> {
  return typeof value === 'object' && value !== null;
}

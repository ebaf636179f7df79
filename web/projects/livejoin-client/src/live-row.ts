import type { CellValue, Column, Page } from './table-server';

/** A cell's last change: how often it has changed in this view, and when it did so last. */
export interface CellChange {
  readonly count: number;
  readonly at: number;
}

export interface LiveRow {
  /** Position in the whole table, from 0. */
  readonly index: number;
  /** In the order of the columns. */
  readonly cells: readonly CellValue[];
  /** In the order of the columns; null where nothing has changed since the row came into view. */
  readonly changes: readonly (CellChange | undefined)[] | null;
}

/**
 * Reads a page into rows and notes what differs from `previous`. A row without a change stays the same object.
 * A row counts as the same one when position and first column (the key) agree, unless these very cells stood at another
 * position before: rows that merely moved up or down are not changes of their cells.
 */
export function readRows(
  page: Page,
  columns: readonly Column[],
  previous: ReadonlyMap<number, LiveRow>,
  now: number,
): LiveRow[] {
  const rows: LiveRow[] = [];
  for (let position = 0; position < page.length; position += 1) {
    const index = page.offset + position;
    const cells = columns.map((column) => page.cell(position, column.name));
    rows.push(successor(index, cells, previous, now));
  }
  return rows;
}

function successor(
  index: number,
  cells: readonly CellValue[],
  previous: ReadonlyMap<number, LiveRow>,
  now: number,
): LiveRow {
  const [key] = cells;
  const before = previous.get(index);
  if (before?.cells.length !== cells.length || !sameCell(before.cells[0], key)) {
    return { index, cells, changes: null };
  }
  const changed = cells.map((cell, column) => !sameCell(before.cells[column], cell));
  if (!changed.includes(true)) return before;
  if (stood(cells, previous)) return { index, cells, changes: null };
  const changes = changed.map((isChanged, column) => {
    const last = before.changes?.[column];
    return isChanged ? { count: (last?.count ?? 0) + 1, at: now } : last;
  });
  return { index, cells, changes };
}

function stood(cells: readonly CellValue[], previous: ReadonlyMap<number, LiveRow>): boolean {
  for (const row of previous.values()) {
    if (cells.every((cell, column) => sameCell(row.cells[column], cell))) return true;
  }
  return false;
}

function sameCell(a: CellValue | undefined, b: CellValue | undefined): boolean {
  if (isInstant(a) && isInstant(b)) return a.epochNanos === b.epochNanos;
  return Object.is(a, b);
}

function isInstant(value: CellValue | undefined): value is Extract<CellValue, { iso: string }> {
  return typeof value === 'object' && value !== null;
}

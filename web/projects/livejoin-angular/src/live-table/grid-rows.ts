import type { LiveRow, RowWindow } from 'livejoin-client';
import { cellText, isNumeric } from './cell-text';
import type { ShownColumn } from './shown-columns';

export interface GridCell {
  readonly column: string;
  readonly text: string;
  readonly exact: string | null;
  readonly isNull: boolean;
  readonly isNumeric: boolean;
  readonly isKey: boolean;
  /** Alternates with every change, because only another animation name starts the flash again. */
  readonly flash: 'a' | 'b' | null;
}

export interface GridRow {
  readonly index: number;
  /** Null until the row has arrived. */
  readonly cells: readonly GridCell[] | null;
}

/** A change that is older than the flash would flash again when its row is scrolled into view. */
const FLASH_MS = 900;

export function gridRows(
  visible: RowWindow,
  size: number,
  rows: readonly LiveRow[],
  columns: readonly ShownColumn[],
  keys: ReadonlySet<number>,
  now: number,
): GridRow[] {
  const arrived = new Map(rows.map((row) => [row.index, row]));
  const result: GridRow[] = [];
  for (let index = visible.first; index <= visible.last && index < size; index += 1) {
    const row = arrived.get(index);
    result.push({ index, cells: row === undefined ? null : gridCells(row, columns, keys, now) });
  }
  return result;
}

function gridCells(
  row: LiveRow,
  columns: readonly ShownColumn[],
  keys: ReadonlySet<number>,
  now: number,
): GridCell[] {
  return columns.map(({ name, kind, position }) => {
    const value = row.cells[position] ?? null;
    const change = row.changes?.[position];
    const isRecent = change !== undefined && now - change.at < FLASH_MS;
    return {
      column: name,
      ...cellText(value, kind),
      isNull: value === null,
      isNumeric: isNumeric(kind),
      isKey: keys.has(position),
      flash: isRecent ? (change.count % 2 === 0 ? 'a' : 'b') : null,
    };
  });
}

import type { LiveRow, RowWindow } from 'livejoin-client';
import type { CellWriter, GridCell } from './cell-writer';

export interface GridRow {
  readonly index: number;
  /** Null until the row has arrived. */
  readonly cells: readonly GridCell[] | null;
  readonly row: LiveRow | null;
}

export function gridRows(
  visible: RowWindow,
  size: number,
  arrived: ReadonlyMap<number, LiveRow>,
  writer: CellWriter,
  now: number,
): GridRow[] {
  const result: GridRow[] = [];
  for (let index = visible.first; index <= visible.last && index < size; index += 1) {
    const row = arrived.get(index) ?? null;
    result.push({ index, row, cells: row === null ? null : writer.cells(row, now) });
  }
  return result;
}

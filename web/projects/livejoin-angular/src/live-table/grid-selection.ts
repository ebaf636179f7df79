import { copiedText, type CopyFormat } from './grid-copy';
import { HEAD_ROW, type GridCursor } from './grid-cursor';
import type { GridSelection } from './grid-events';
import type { ArrivedRows } from './row-spot';
import type { ShownColumn } from './shown-columns';

/** The columns of what is selected, or that of the cell with the focus. */
function selectedColumns(cursor: GridCursor, shown: readonly ShownColumn[]): readonly ShownColumn[] {
  const range = cursor.range();
  const column = cursor.cell()?.column ?? 0;
  return shown.slice(range?.first.column ?? column, (range?.last.column ?? column) + 1);
}

export function selectionOf(
  cursor: GridCursor,
  { byIndex }: ArrivedRows,
  shown: readonly ShownColumn[],
): GridSelection {
  const range = cursor.range();
  // Of a very large one only what is at hand is looked for.
  const rows =
    range === null || range.last.row - range.first.row < byIndex.size
      ? cursor.selectedRows().flatMap((index) => byIndex.get(index) ?? [])
      : [...byIndex.values()].filter(({ index }) => cursor.isSelected(index, range.first.column));
  return { rows, columns: selectedColumns(cursor, shown).map(({ name }) => name) };
}

/** Whether the same rows and columns are meant; what is in them may have changed. */
export function sameSelection(a: GridSelection, b: GridSelection): boolean {
  return (
    a.rows.length === b.rows.length &&
    a.columns.length === b.columns.length &&
    a.rows.every(({ id }, at) => id === b.rows[at]?.id) &&
    a.columns.every((name, at) => name === b.columns[at])
  );
}

/** How many cells went to the clipboard, 0 where not all of them are at hand; null where nothing is to be copied. */
export function copySelection(
  event: ClipboardEvent,
  cursor: GridCursor,
  { byIndex }: ArrivedRows,
  shown: readonly ShownColumn[],
  format: CopyFormat,
): number | null {
  if ((cursor.cell()?.row ?? HEAD_ROW) === HEAD_ROW) return null;
  event.preventDefault();
  const rows = cursor.selectedRows();
  const columns = selectedColumns(cursor, shown);
  const text = copiedText(rows, columns, byIndex, format);
  if (text !== null) event.clipboardData?.setData('text/plain', text);
  return text === null ? 0 : rows.length * columns.length;
}

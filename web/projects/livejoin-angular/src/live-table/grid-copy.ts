import type { LiveRow } from 'livejoin-client';
import { exactText } from './cell-text';
import type { CellRange } from './grid-cursor';
import type { ShownColumn } from './shown-columns';

/**
 * Cells as a spreadsheet takes them: tabs between columns, a line for each row, and values without the rounding of the
 * screen. Null where a row of the range is not at hand: half of what was selected would be a trap.
 */
export function copiedText(
  { first, last }: CellRange,
  rows: readonly LiveRow[],
  columns: readonly ShownColumn[],
): string | null {
  const arrived = new Map(rows.map((row) => [row.index, row]));
  const lines: string[] = [];
  for (let index = first.row; index <= last.row; index += 1) {
    const row = arrived.get(index);
    if (row === undefined) return null;
    const chosen = columns.slice(first.column, last.column + 1);
    const texts = chosen.map(({ position }) => exactText(row.cells[position] ?? null));
    lines.push((texts.length === 1 && first.row === last.row ? texts : texts.map(quoted)).join('\t'));
  }
  return lines.join('\n');
}

function quoted(text: string): string {
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

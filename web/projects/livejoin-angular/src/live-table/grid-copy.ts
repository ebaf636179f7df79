import { exactText, spreadsheetText, type LiveRow, type ZoneChoice } from 'livejoin-client';
import type { ShownColumn } from './shown-columns';

/** How cells are copied. */
export interface CopyFormat {
  /** By the clock of which points in time are written. */
  readonly zone: ZoneChoice;
  /** Whether texts that a spreadsheet would calculate stay as they are. */
  readonly withFormulas: boolean;
}

/**
 * Cells as a spreadsheet takes them: tabs between columns, a line for each row, and values without the rounding of the
 * screen. Texts that it would take for formulas are none, unless that is wanted. Null where one of the rows is not at
 * hand: half of what was selected would be a trap.
 */
export function copiedText(
  rows: readonly number[],
  columns: readonly ShownColumn[],
  arrived: ReadonlyMap<number, LiveRow>,
  { zone, withFormulas }: CopyFormat,
): string | null {
  const lines: string[] = [];
  const isOne = rows.length === 1 && columns.length === 1;
  for (const index of rows) {
    const row = arrived.get(index);
    if (row === undefined) return null;
    const texts = columns.map(({ position, kind }) => {
      const text = exactText(row.cells[position] ?? null, zone);
      return kind === 'text' && !withFormulas ? spreadsheetText(text) : text;
    });
    lines.push((isOne ? texts : texts.map(quoted)).join('\t'));
  }
  return lines.join('\n');
}

function quoted(text: string): string {
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import { visibleText, type CellValue, type ViewSnapshot } from 'livejoin-angular';

/** A row by the names of its columns. */
export type RowRecord = ReadonlyMap<string, CellValue>;

export function recordsOf({ columns, rows }: ViewSnapshot): RowRecord[] {
  return rows.map(
    ({ cells }) => new Map(columns.map(({ name }, position) => [name, cells[position] ?? null])),
  );
}

/** As a person may see it: topics, reasons and messages are written by strangers. */
export function textIn(row: RowRecord, column: string): string {
  return visibleText(exactTextIn(row, column));
}

/** As it is, for whoever reads it as data. */
export function exactTextIn(row: RowRecord, column: string): string {
  const value = row.get(column) ?? null;
  if (value === null) return '';
  return typeof value === 'object' ? value.iso : value.toString();
}

export function numberIn(row: RowRecord, column: string): number | null {
  const value = row.get(column) ?? null;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}

/** A point in time in milliseconds since 1970. */
export function timeIn(row: RowRecord, column: string): number | null {
  const value = row.get(column) ?? null;
  return typeof value === 'object' && value !== null ? Number(value.epochNanos / 1_000_000n) : null;
}

import type { CellValue } from '../table-server';

/**
 * One line of a CSV file (RFC 4180). A null is nothing at all and an empty text is `""`, so that both can be told
 * apart; numbers are written so that reading them gives the same 64 bits again.
 */
export function csvLine(values: readonly CellValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: CellValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value === '' || /[",\r\n]/.test(value) ? quoted(value) : value;
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'object' ? value.iso : value.toString();
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

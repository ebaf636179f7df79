import type { CellValue, Column } from '../table-server';
import { isoIn, type ZoneChoice } from '../zone';
import { exactText } from './exact-text';
import { spreadsheetText } from './spreadsheet-text';

interface AnyFormat {
  /** By the clock of which zone points in time are written, with how far it is from UTC; UTC where it is left out. */
  readonly zone?: ZoneChoice;
}

/** How rows are written into a file. */
export type FileFormat = AnyFormat &
  (
    | {
        readonly format: 'csv';
        /** Whether texts that a spreadsheet would run as formulas are marked as texts; so where it is left out. */
        readonly isSafe?: boolean;
        /** Whether the file begins with the mark by which Excel knows UTF-8; not where it is left out. */
        readonly hasByteOrderMark?: boolean;
      }
    | { readonly format: 'json-lines' }
  );

export interface FileWriter {
  /** For a browser. */
  readonly type: string;
  /** What comes before the first row. */
  head(columns: readonly Column[]): string;
  line(cells: readonly CellValue[], columns: readonly Column[]): string;
}

export function writerOf(given: FileFormat): FileWriter {
  return given.format === 'csv' ? csvWriter(given) : jsonWriter(given);
}

/**
 * CSV (RFC 4180). A null is nothing at all and an empty text is `""`, so that both can be told apart; numbers are
 * written so that reading them gives the same 64 bits again.
 */
function csvWriter({
  isSafe = true,
  hasByteOrderMark = false,
  zone = 'UTC',
}: Extract<FileFormat, { format: 'csv' }>): FileWriter {
  const cell = (value: CellValue, kind: Column['kind']): string => {
    const exact = exactText(value, zone);
    const text = isSafe && kind === 'text' ? spreadsheetText(exact) : exact;
    return value === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return {
    type: 'text/csv;charset=utf-8',
    head: (columns) =>
      `${hasByteOrderMark ? '\uFEFF' : ''}${columns.map(({ name }) => cell(name, 'text')).join(',')}\r\n`,
    line: (cells, columns) =>
      `${columns.map(({ kind }, place) => cell(cells[place] ?? null, kind)).join(',')}\r\n`,
  };
}

/**
 * One JSON object a line. What JavaScript would round is a string of its digits, a decimal always is one, and a point in
 * time is one in ISO 8601 with nanoseconds.
 */
function jsonWriter({ zone = 'UTC' }: Extract<FileFormat, { format: 'json-lines' }>): FileWriter {
  return {
    type: 'application/x-ndjson',
    head: () => '',
    // By hand, because a column may be called `__proto__`.
    line: (cells, columns) => {
      const members = columns.map(
        ({ name }, place) => `${JSON.stringify(name)}:${jsonOf(cells[place] ?? null, zone)}`,
      );
      return `{${members.join(',')}}\n`;
    },
  };
}

function jsonOf(value: CellValue, zone: ZoneChoice): string {
  // Without a point, some readers take it for an integer, which has no sign there.
  if (Object.is(value, -0)) return '-0.0';
  if (typeof value === 'bigint') return JSON.stringify(value.toString());
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value));
  return JSON.stringify(value !== null && typeof value === 'object' ? isoIn(value, zone) : value);
}

import type { FileFormat } from 'livejoin-angular';

/** A way to write rows into a file, as a person chooses it. */
export interface ExportKind {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly format: FileFormat;
  /** How the name of the file ends. */
  readonly ending: string;
}

export const EXPORT_KINDS: readonly ExportKind[] = [
  {
    id: 'csv',
    name: 'CSV',
    hint: 'For programs and most spreadsheets',
    format: { format: 'csv' },
    ending: 'csv',
  },
  {
    id: 'excel',
    name: 'CSV for Excel',
    hint: 'Begins with the mark by which Excel knows UTF-8',
    format: { format: 'csv', hasByteOrderMark: true },
    ending: 'csv',
  },
  {
    id: 'json-lines',
    name: 'JSON lines',
    hint: 'For programs: an object for each row',
    format: { format: 'json-lines' },
    ending: 'jsonl',
  },
];

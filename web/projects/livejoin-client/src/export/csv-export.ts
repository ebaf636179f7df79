import { csvLine } from './csv';
import type { CopiedRows } from './row-copy';
import type { Generation } from '../table-server';

export interface CsvProgress {
  readonly done: number;
  readonly total: number;
}

export interface CsvFile {
  readonly data: Blob;
  readonly rows: number;
  readonly generation: Generation | null;
}

/**
 * Writes copied rows as a CSV file. Every portion becomes a blob at once, which a browser keeps outside the heap, so
 * a large table does not have to fit into memory as text. Aborting ends the copy and rejects with the signal's reason.
 */
export async function csvFile(
  copy: AsyncIterable<CopiedRows>,
  signal: AbortSignal,
  progress: (progress: CsvProgress) => void,
): Promise<CsvFile> {
  const parts: Blob[] = [];
  let rows = 0;
  let generation: Generation | null = null;
  signal.throwIfAborted();
  for await (const portion of copy) {
    signal.throwIfAborted();
    if (parts.length === 0) parts.push(new Blob([csvLine(portion.columns.map(({ name }) => name))]));
    parts.push(new Blob([portion.rows.map(csvLine).join('')]));
    rows = portion.before + portion.rows.length;
    generation ??= portion.generation;
    progress({ done: rows, total: portion.size });
  }
  return { data: new Blob(parts, { type: 'text/csv;charset=utf-8' }), rows, generation };
}

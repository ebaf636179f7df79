import type { Generation } from '../table-server';
import { writerOf, type FileFormat } from './file-format';
import type { CopiedRows } from './row-copy';

export interface FileProgress {
  readonly done: number;
  readonly total: number;
}

export interface TableFile {
  readonly data: Blob;
  readonly rows: number;
  readonly generation: Generation | null;
}

/**
 * Writes copied rows into a file. Every portion becomes a blob at once, which a browser keeps outside the heap, so
 * a large table does not have to fit into memory as text. Aborting ends the copy and rejects with the signal's reason.
 */
export async function tableFile(
  copy: AsyncIterable<CopiedRows>,
  format: FileFormat,
  signal: AbortSignal,
  progress: (progress: FileProgress) => void,
): Promise<TableFile> {
  const writer = writerOf(format);
  const parts: Blob[] = [];
  let rows = 0;
  let generation: Generation | null = null;
  signal.throwIfAborted();
  for await (const { columns, ...portion } of copy) {
    signal.throwIfAborted();
    if (parts.length === 0) parts.push(new Blob([writer.head(columns)]));
    parts.push(new Blob([portion.rows.map((cells) => writer.line(cells, columns)).join('')]));
    rows = portion.before + portion.rows.length;
    generation ??= portion.generation;
    progress({ done: rows, total: portion.size });
  }
  return { data: new Blob(parts, { type: writer.type }), rows, generation };
}

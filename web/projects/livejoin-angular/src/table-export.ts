import { DestroyRef, inject, NgZone, signal, type Signal } from '@angular/core';
import {
  tableFile,
  type FileFormat,
  type LivejoinHub,
  type TableFile,
  type ViewDescription,
} from 'livejoin-client';
import { LIVEJOIN_HUB } from './provide-livejoin';

export type ExportState =
  | { readonly kind: 'idle' }
  /** `total` is null until the server has made its copy. */
  | { readonly kind: 'running'; readonly done: number; readonly total: number | null }
  | { readonly kind: 'saved'; readonly rows: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** One file at a time: all rows of a view as they were when it was asked for. */
export class TableExport {
  readonly #state = signal<ExportState>({ kind: 'idle' });
  readonly state: Signal<ExportState> = this.#state.asReadonly();
  #running: AbortController | null = null;

  constructor(
    private readonly hub: Pick<LivejoinHub, 'copy'>,
    private readonly save: (file: TableFile, name: string) => void,
  ) {}

  /** Never rejects: what went wrong is a state too. Does nothing while a file is being made. */
  async start(
    description: ViewDescription,
    nameOf: (file: TableFile) => string,
    format: FileFormat = { format: 'csv' },
  ): Promise<void> {
    if (this.#running !== null) return;
    const { signal: aborted } = (this.#running = new AbortController());
    this.#state.set({ kind: 'running', done: 0, total: null });
    try {
      const file = await tableFile(this.hub.copy(description), format, aborted, ({ done, total }) => {
        if (!aborted.aborted) this.#state.set({ kind: 'running', done, total });
      });
      if (aborted.aborted) return;
      this.save(file, nameOf(file));
      this.#state.set({ kind: 'saved', rows: file.rows });
    } catch (error) {
      if (!aborted.aborted) this.#state.set({ kind: 'failed', reason: reasonOf(error) });
    } finally {
      if (!aborted.aborted) this.#running = null;
    }
  }

  /** Gives up the file and the server's copy. */
  cancel(): void {
    this.#running?.abort();
    this.#running = null;
    this.#state.set({ kind: 'idle' });
  }
}

/** Ends with the component, directive or service that calls it. Call it in an injection context. */
export function injectTableExport(): TableExport {
  const zone = inject(NgZone);
  const hub = inject(LIVEJOIN_HUB);
  const made = new TableExport(
    { copy: (description) => zone.runOutsideAngular(() => hub.copy(description)) },
    download,
  );
  inject(DestroyRef).onDestroy(() => {
    made.cancel();
  });
  return made;
}

function download({ data }: TableFile, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of the data by then, and nothing else would ever let go of them.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

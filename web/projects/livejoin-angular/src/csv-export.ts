import { DestroyRef, inject, NgZone, signal, type Signal } from '@angular/core';
import { csvFile, type CsvFile, type LivejoinHub, type ViewDescription } from 'livejoin-client';
import { LIVEJOIN_HUB } from './provide-livejoin';

export type CsvState =
  | { readonly kind: 'idle' }
  /** `total` is null until the server has made its copy. */
  | { readonly kind: 'running'; readonly done: number; readonly total: number | null }
  | { readonly kind: 'saved'; readonly rows: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** One CSV file at a time: all rows of a view as they were when it was asked for. */
export class CsvExport {
  readonly #state = signal<CsvState>({ kind: 'idle' });
  readonly state: Signal<CsvState> = this.#state.asReadonly();
  #running: AbortController | null = null;

  constructor(
    private readonly hub: Pick<LivejoinHub, 'copy'>,
    private readonly save: (file: CsvFile, name: string) => void,
  ) {}

  /** Never rejects: what went wrong is a state too. Does nothing while a file is being made. */
  async start(description: ViewDescription, nameOf: (file: CsvFile) => string): Promise<void> {
    if (this.#running !== null) return;
    const { signal: aborted } = (this.#running = new AbortController());
    this.#state.set({ kind: 'running', done: 0, total: null });
    try {
      const file = await csvFile(this.hub.copy(description), aborted, ({ done, total }) => {
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
export function injectCsvExport(): CsvExport {
  const zone = inject(NgZone);
  const hub = inject(LIVEJOIN_HUB);
  const csv = new CsvExport(
    { copy: (description) => zone.runOutsideAngular(() => hub.copy(description)) },
    download,
  );
  inject(DestroyRef).onDestroy(() => {
    csv.cancel();
  });
  return csv;
}

function download({ data }: CsvFile, name: string): void {
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

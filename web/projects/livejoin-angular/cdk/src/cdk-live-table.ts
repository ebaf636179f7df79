import { DataSource, type CollectionViewer } from '@angular/cdk/collections';
import { DestroyRef, inject, signal } from '@angular/core';
import {
  injectLiveTable,
  type NamedRow,
  type LiveTable,
  type LiveTableOptions,
  type OrSignal,
  type RowWindow,
} from 'livejoin-angular';
import type { Observable, Subscription } from 'rxjs';

/**
 * A live table for `cdk-table` and `mat-table`. Make it in an injection context: it watches the table for as long as
 * the component lives that made it.
 */
export class CdkLiveTable extends DataSource<NamedRow> {
  readonly #window = signal<RowWindow>({ first: 0, last: 99 });
  readonly #viewers = new Map<CollectionViewer, Subscription>();
  /** Columns, size, state and the rest, as signals. */
  readonly live: LiveTable;

  constructor(name: OrSignal<string>, options: Omit<LiveTableOptions, 'window'> = {}) {
    super();
    this.live = injectLiveTable(name, { ...options, window: this.#window });
    inject(DestroyRef).onDestroy(() => {
      for (const viewer of [...this.#viewers.keys()]) this.disconnect(viewer);
    });
  }

  override connect(viewer: CollectionViewer): Observable<readonly NamedRow[]> {
    this.#viewers.set(
      viewer,
      viewer.viewChange.subscribe(({ start, end }) => {
        // A table without virtual scrolling says that it looks at everything, by one of two words for that.
        if (end > start && Number.isSafeInteger(end)) this.showRows(start, end - 1);
      }),
    );
    return this.live.rows$;
  }

  override disconnect(viewer: CollectionViewer): void {
    this.#viewers.get(viewer)?.unsubscribe();
    this.#viewers.delete(viewer);
  }

  /** Which rows to show, both included, counted from 0: for a paginator, or for a scroller of one's own. */
  showRows(first: number, last: number): void {
    const { first: shownFirst, last: shownLast } = this.#window();
    if (first !== shownFirst || last !== shownLast) this.#window.set({ first, last });
  }
}

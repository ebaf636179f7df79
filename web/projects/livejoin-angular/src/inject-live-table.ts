import { computed, effect, inject, signal, untracked, type Signal } from '@angular/core';
import {
  emptySnapshot,
  type Column,
  type LiveRow,
  type RowWindow,
  type ViewObserver,
  type ViewSnapshot,
  type ViewState,
} from 'livejoin-client';
import { LIVEJOIN_HUB } from './provide-livejoin';

export interface LiveTableOptions {
  /** All columns of the table where it is left out. */
  readonly columns?: readonly string[];
  /** The rows to watch; may read signals. Left out for columns, size and state only. */
  readonly window?: () => RowWindow | null;
}

export interface LiveTable {
  readonly snapshot: Signal<ViewSnapshot>;
  readonly rows: Signal<readonly LiveRow[]>;
  readonly columns: Signal<readonly Column[]>;
  readonly size: Signal<number>;
  readonly state: Signal<ViewState>;
  readonly receivedAt: Signal<number | null>;
}

/**
 * Watches a table for as long as the calling component lives. Components that watch the same table share one viewport.
 * A name given as a function may read signals, for example a required input.
 */
export function injectLiveTable(name: string | (() => string), options: LiveTableOptions = {}): LiveTable {
  const hub = inject(LIVEJOIN_HUB);
  const nameOf = typeof name === 'string' ? () => name : name;
  const observer = signal<ViewObserver | null>(null);
  const snapshot = signal<ViewSnapshot>(emptySnapshot(''));

  effect((onCleanup) => {
    const table = nameOf();
    const { columns } = options;
    const watching = hub.observe(columns === undefined ? { table } : { table, columns });
    const stop = watching.snapshot.subscribe((next) => {
      snapshot.set(next);
    });
    untracked(() => {
      snapshot.set(watching.snapshot.value);
      observer.set(watching);
    });
    onCleanup(() => {
      stop();
      watching.leave();
    });
  });

  effect(() => {
    observer()?.setWindow(options.window?.() ?? null);
  });

  return {
    snapshot: snapshot.asReadonly(),
    rows: computed(() => snapshot().rows),
    columns: computed(() => snapshot().columns),
    size: computed(() => snapshot().size),
    state: computed(() => snapshot().state),
    receivedAt: computed(() => snapshot().receivedAt),
  };
}

import { computed, effect, inject, Injector, NgZone, signal, untracked, type Signal } from '@angular/core';
import { toObservable } from '@angular/core/rxjs-interop';
import {
  emptySnapshot,
  viewKey,
  type CellValue,
  type Column,
  type FilterBy,
  type RowWindow,
  type SortBy,
  type ViewDescription,
  type ViewObserver,
  type ViewSnapshot,
  type ViewState,
} from 'livejoin-client';
import type { Observable } from 'rxjs';
import { AgeClock } from './age-clock';
import { injectConnection } from './inject-connection';
import { RowNames, type NamedRow } from './named-row';
import { LIVEJOIN_HUB } from './provide-livejoin';

/** A value, or a function that may read signals. */
export type OrSignal<T> = T | (() => T);

/** The names of the columns that `Values` has. */
export type ColumnName<Values> = keyof Values & string;

export interface LiveTableOptions<Values = Readonly<Record<string, CellValue>>> {
  /** All columns of the table where it is left out. */
  readonly columns?: OrSignal<readonly ColumnName<Values>[] | undefined>;
  readonly sort?: OrSignal<readonly (SortBy & { readonly column: ColumnName<Values> })[] | undefined>;
  readonly filter?: OrSignal<readonly (FilterBy & { readonly column: ColumnName<Values> })[] | undefined>;
  /** Text that occurs in any of a row's texts. */
  readonly search?: OrSignal<string | undefined>;
  /** The rows to watch: the first hundred where it is left out, none where it is null. */
  readonly window?: OrSignal<RowWindow | null>;
}

export interface LiveTable<Values = Readonly<Record<string, CellValue>>> {
  /** Everything of one moment. */
  readonly snapshot: Signal<ViewSnapshot>;
  /** With their cells in the order of the columns, and by their names. */
  readonly rows: Signal<readonly NamedRow<Values>[]>;
  readonly columns: Signal<readonly Column[]>;
  /** Rows of the whole table. */
  readonly size: Signal<number>;
  readonly state: Signal<ViewState>;
  /** Milliseconds since the server was last heard of this table, by the second; null before the first time. */
  readonly age: Signal<number | null>;
  readonly receivedAt: Signal<number | null>;
  /** Why there is nothing fresh, in words for a person; null while all is well. */
  readonly error: Signal<string | null>;
  /** The rows as a stream that begins with those of the moment and ends with the caller's injector. */
  readonly rows$: Observable<readonly NamedRow<Values>[]>;
  /** Fetches the table again; the rows stay until the fresh ones are here. */
  refresh(): void;
}

/** While rows that were asked for otherwise are fetched, and nothing is known that would keep them. */
export const ON_THEIR_WAY = 'The rows are on their way.';

const FIRST_ROWS: RowWindow = { first: 0, last: 99 };

/**
 * Watches a table for as long as the calling component, directive or service lives. Whoever watches the same table with
 * the same columns, sort and filter shares one viewport. Call it in an injection context.
 *
 * `Values` is what the application knows of the columns: names and types of the cells, for those who want them checked.
 */
export function injectLiveTable<Values = Readonly<Record<string, CellValue>>>(
  name: OrSignal<string>,
  options: LiveTableOptions<Values> = {},
): LiveTable<Values> {
  const hub = inject(LIVEJOIN_HUB);
  const zone = inject(NgZone);
  const clock = inject(AgeClock);
  const injector = inject(Injector);
  const connection = injectConnection().state;
  const observer = signal<ViewObserver | null>(null);
  const snapshot = signal<ViewSnapshot>(emptySnapshot(''));
  const wanted = computed(
    () =>
      wantedView({
        table: valueOf(name),
        columns: valueOf(options.columns),
        sort: valueOf(options.sort),
        filter: valueOf(options.filter),
        search: valueOf(options.search),
      }),
    { equal: (a, b) => a.key === b.key },
  );

  effect((onCleanup) => {
    const { description, mistake } = wanted();
    if (mistake !== null) {
      untracked(() => {
        snapshot.set(emptySnapshot(description.table));
        observer.set(null);
      });
      return;
    }
    const watching = zone.runOutsideAngular(() => hub.observe(description));
    let isComing = true;
    const show = (next: ViewSnapshot): void => {
      isComing &&= next.state.kind === 'loading' && hub.connection.value.kind !== 'idle';
      snapshot.update((before) => (isComing ? meanwhile(before, next) : next));
    };
    const stop = watching.snapshot.subscribe(show);
    untracked(() => {
      show(watching.snapshot.value);
      observer.set(watching);
    });
    onCleanup(() => {
      stop();
      watching.leave();
    });
  });

  effect(() => {
    const watching = observer();
    const window = options.window === undefined ? FIRST_ROWS : valueOf(options.window);
    zone.runOutsideAngular(() => watching?.setWindow(window));
  });

  const names = new RowNames<Values>();
  const rows = computed(() => names.named(snapshot().rows, snapshot().columns), {
    // What has not changed is nothing to draw, and no news for a stream.
    equal: (a, b) => a.length === b.length && a.every((row, place) => row === b[place]),
  });
  let rows$: Observable<readonly NamedRow<Values>[]> | null = null;
  return {
    snapshot: snapshot.asReadonly(),
    rows,
    columns: computed(() => snapshot().columns),
    size: computed(() => snapshot().size),
    state: computed(() => snapshot().state),
    age: computed(() => {
      const { receivedAt } = snapshot();
      return receivedAt === null ? null : Math.max(0, clock.now() - receivedAt);
    }),
    receivedAt: computed(() => snapshot().receivedAt),
    error: computed(() => {
      const { mistake } = wanted();
      if (mistake !== null) return mistake;
      const { kind, ...why } = connection();
      if (kind === 'refused' || kind === 'failed') return 'reason' in why ? why.reason : null;
      const { state } = snapshot();
      return state.kind === 'live' ? null : state.reason;
    }),
    refresh: () => {
      zone.runOutsideAngular(() => untracked(observer)?.refresh());
    },
    get rows$() {
      rows$ ??= untracked(() => toObservable(rows, { injector }));
      return rows$;
    },
  };
}

interface WantedView {
  readonly description: ViewDescription;
  /** The same where the same is wanted. */
  readonly key: string;
  /** Why nobody can be asked for it; null where somebody can. */
  readonly mistake: string | null;
}

function wantedView(description: ViewDescription): WantedView {
  try {
    return { description, key: viewKey(description), mistake: null };
  } catch (error) {
    const mistake = error instanceof Error ? error.message : String(error);
    return { description, key: mistake, mistake };
  }
}

function valueOf<T>(given: OrSignal<T>): T {
  return typeof given === 'function' ? (given as () => T)() : given;
}

/** Until another sort or filter of a table is here, what is on the screen stays, and says that it is old. */
function meanwhile(before: ViewSnapshot, next: ViewSnapshot): ViewSnapshot {
  if (before.table !== next.table || before.receivedAt === null || next.state.kind !== 'loading') return next;
  // Heard of, and held back until the others are here: there is nothing on the screen that could stay.
  if (before.state.kind === 'loading') return next;
  return { ...before, state: { kind: 'stale', reason: next.state.reason ?? ON_THEIR_WAY } };
}

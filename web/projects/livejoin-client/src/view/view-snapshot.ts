import type { LiveRow } from './live-row';
import type { CellValue, Column, Generation } from '../table-server';
import type { FilterBy, SortBy } from './view-description';

export type ViewState =
  /** Nothing has arrived yet; `reason` says why it takes long, if it is known. */
  | { readonly kind: 'loading'; readonly reason: string | null }
  | { readonly kind: 'live' }
  /** The last good rows, while the hub fetches the table again. */
  | { readonly kind: 'stale'; readonly reason: string };

/** What one observer sees of a table at one moment. Immutable; rows that did not change keep their identity. */
export interface ViewSnapshot {
  readonly table: string;
  /** How the rows are sorted; empty where they are as the server has them. */
  readonly sort: readonly SortBy[];
  /** Which rows there are; empty where it is all of them. */
  readonly filter: readonly FilterBy[];
  readonly state: ViewState;
  readonly columns: readonly Column[];
  readonly size: number;
  /** The rows of the observer's window that have arrived; before them, where it reaches beyond the end, what is at hand. */
  readonly rows: readonly LiveRow[];
  /** Which generation of the tables the rows belong to; null where that is not known. */
  readonly generation: Generation | null;
  /** False while the window is too far from the others to be in the shared viewport. */
  readonly covered: boolean;
  /** When the server was last heard of this table; null before the first time. */
  readonly receivedAt: number | null;
}

export function emptySnapshot(table: string): ViewSnapshot {
  return {
    table,
    sort: [],
    filter: [],
    state: { kind: 'loading', reason: null },
    columns: [],
    size: 0,
    rows: [],
    generation: null,
    covered: true,
    receivedAt: null,
  };
}

/** A cell by the name of its column; undefined where there is no such row or column. */
export function cellOf(snapshot: ViewSnapshot, row: number, column: string): CellValue | undefined {
  const position = snapshot.columns.findIndex(({ name }) => name === column);
  return snapshot.rows[row]?.cells[position];
}

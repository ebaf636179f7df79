import { effect, signal, untracked } from '@angular/core';
import type { GridApi, IDatasource, IGetRowsParams, ViewportChangedEvent } from 'ag-grid-community';
import {
  injectLiveTable,
  type CellValue,
  type LiveRow,
  type LiveTable,
  type LiveTableOptions,
  type OrSignal,
  type RowWindow,
  type SortBy,
  type ViewSnapshot,
} from 'livejoin-angular';

/** A row as AG Grid reads it: values by the names of their columns. */
export type AgGridRow = Readonly<Record<string, CellValue>>;

/**
 * A live table for AG Grid (community) with `rowModelType: 'infinite'`. The grid asks for blocks and scrolls over all
 * rows; the blocks on the screen change in place as the table does. Sorting in the grid sorts on the server.
 *
 * Make it in an injection context: it watches the table for as long as the component lives that made it.
 */
export class LiveTableDatasource implements IDatasource {
  readonly #sort = signal<readonly SortBy[]>([]);
  readonly #window = signal<RowWindow | null>(null);
  readonly #drawn = new Map<number, LiveRow>();
  #asked: IGetRowsParams<AgGridRow>[] = [];
  #api: GridApi<AgGridRow> | null = null;
  /** Columns, size, state and the rest, as signals. */
  readonly live: LiveTable;

  constructor(name: OrSignal<string>, options: Omit<LiveTableOptions, 'sort' | 'window'> = {}) {
    this.live = injectLiveTable(name, { ...options, sort: this.#sort, window: this.#window });
    effect(() => {
      const snapshot = this.live.snapshot();
      untracked(() => {
        this.#deliver(snapshot);
      });
    });
  }

  getRows(params: IGetRowsParams<AgGridRow>): void {
    this.#follow(params.api);
    this.#sortBy(
      params.sortModel.map(({ colId, sort }) => ({
        column: colId,
        direction: sort === 'desc' ? 'descending' : 'ascending',
      })),
    );
    this.#asked.push(params);
    this.#window.set(hull(this.#asked));
    this.#deliver(untracked(this.live.snapshot));
  }

  /** Called by the grid when it takes another datasource or goes away. */
  destroy(): void {
    if (this.#api !== null && !this.#api.isDestroyed()) {
      this.#api.removeEventListener('viewportChanged', this.#scrolled);
    }
    this.#api = null;
    this.#asked = [];
    this.#drawn.clear();
    this.#window.set(null);
  }

  #follow(api: GridApi<AgGridRow>): void {
    if (this.#api === api) return;
    this.#api = api;
    api.addEventListener('viewportChanged', this.#scrolled);
  }

  #sortBy(sort: readonly SortBy[]): void {
    if (JSON.stringify(sort) === JSON.stringify(untracked(this.#sort))) return;
    this.#sort.set(sort);
    // The grid has dropped its blocks and asks for all of them anew.
    this.#asked = [];
    this.#drawn.clear();
  }

  /** Blocks that the grid still has are not asked for again, so the window follows what is on the screen. */
  readonly #scrolled = ({ firstRow, lastRow }: ViewportChangedEvent<AgGridRow>): void => {
    if (lastRow < firstRow || this.#asked.length > 0) return;
    this.#window.set({ first: Math.max(0, firstRow), last: lastRow });
  };

  #deliver(snapshot: ViewSnapshot): void {
    const isAsAsked = JSON.stringify(snapshot.sort) === JSON.stringify(untracked(this.#sort));
    if (this.#api === null || snapshot.state.kind !== 'live' || !isAsAsked) return;
    this.#api.setRowCount(snapshot.size, true);
    const arrived = new Map(snapshot.rows.map((row) => [row.index, row]));
    this.#asked = this.#asked.filter((params) => !this.#answer(params, snapshot, arrived));
    for (const row of snapshot.rows) {
      if (this.#drawn.get(row.index) === row) continue;
      this.#drawn.set(row.index, row);
      this.#api.getRowNode(row.index.toString())?.setData(rowOf(row, snapshot));
    }
    for (const index of this.#drawn.keys()) if (!arrived.has(index)) this.#drawn.delete(index);
  }

  #answer(
    params: IGetRowsParams<AgGridRow>,
    snapshot: ViewSnapshot,
    arrived: ReadonlyMap<number, LiveRow>,
  ): boolean {
    const block: AgGridRow[] = [];
    for (let index = params.startRow; index < Math.min(params.endRow, snapshot.size); index += 1) {
      const row = arrived.get(index);
      if (row === undefined) return false;
      this.#drawn.set(index, row);
      block.push(rowOf(row, snapshot));
    }
    params.successCallback(block, snapshot.size);
    return true;
  }
}

function hull(asked: readonly IGetRowsParams<AgGridRow>[]): RowWindow {
  return {
    first: Math.min(...asked.map(({ startRow }) => startRow)),
    last: Math.max(...asked.map(({ endRow }) => endRow)) - 1,
  };
}

function rowOf({ cells }: LiveRow, { columns }: ViewSnapshot): AgGridRow {
  return Object.fromEntries(columns.map(({ name }, position) => [name, cells[position] ?? null]));
}

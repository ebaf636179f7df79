import { computed, effect, signal, untracked, type Signal } from '@angular/core';
import type {
  FilterModel,
  GridApi,
  IDatasource,
  IGetRowsParams,
  ViewportChangedEvent,
} from 'ag-grid-community';
import {
  injectLiveTable,
  type CellValue,
  type FilterBy,
  type LiveRow,
  type LiveTable,
  type LiveTableOptions,
  type OrSignal,
  type RowWindow,
  type SortBy,
  type ViewSnapshot,
} from 'livejoin-angular';
import { viewKey } from 'livejoin-client';
import { filterOf } from './grid-filter';

/** A row as AG Grid reads it: values by the names of their columns. */
export type AgGridRow = Readonly<Record<string, CellValue>>;

/**
 * A live table for AG Grid (community) with `rowModelType: 'infinite'`. The grid asks for blocks and scrolls over all
 * rows; the blocks on the screen change in place as the table does. Sorting and filtering in the grid is done by the
 * server, beside the filter that is given here.
 *
 * Make it in an injection context: it watches the table for as long as the component lives that made it.
 */
export class LiveTableDatasource implements IDatasource {
  readonly #sort = signal<readonly SortBy[]>([]);
  readonly #gridFilter = signal<readonly FilterBy[]>([]);
  readonly #filter: Signal<readonly FilterBy[]>;
  readonly #window = signal<RowWindow | null>(null);
  readonly #drawn = new Map<number, LiveRow>();
  #asked: IGetRowsParams<AgGridRow>[] = [];
  #api: GridApi<AgGridRow> | null = null;
  /** Columns, size, state and the rest, as signals. */
  readonly live: LiveTable;

  constructor(name: OrSignal<string>, options: Omit<LiveTableOptions, 'sort' | 'window'> = {}) {
    const { filter } = options;
    this.#filter = computed(() => [
      ...((typeof filter === 'function' ? filter() : filter) ?? []),
      ...this.#gridFilter(),
    ]);
    this.live = injectLiveTable(name, {
      ...options,
      sort: this.#sort,
      filter: this.#filter,
      window: this.#window,
    });
    effect(() => {
      const snapshot = this.live.snapshot();
      untracked(() => {
        this.#deliver(snapshot);
      });
    });
  }

  getRows(params: IGetRowsParams<AgGridRow>): void {
    this.#follow(params.api);
    const model = params.filterModel as FilterModel | null;
    this.#show(
      sortOf(params),
      filterOf(model, (column) => ({
        kind: untracked(this.live.columns).find(({ name }) => name === column)?.kind,
        isInclusive: isInclusive(params.api, column),
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

  #show(sort: readonly SortBy[], filter: readonly FilterBy[]): void {
    const before = { sort: untracked(this.#sort), filter: untracked(this.#gridFilter) };
    if (isSameView({ sort, filter }, before)) return;
    this.#sort.set(sort);
    this.#gridFilter.set(filter);
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
    const asked = { sort: untracked(this.#sort), filter: untracked(this.#filter) };
    const isAsAsked = isSameView(snapshot, asked);
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

function sortOf({ sortModel }: IGetRowsParams<AgGridRow>): SortBy[] {
  return sortModel.map(({ colId, sort }) => ({
    column: colId,
    direction: sort === 'desc' ? 'descending' : 'ascending',
  }));
}

function isInclusive(api: GridApi<AgGridRow>, column: string): boolean {
  const params: unknown = api.getColumnDef(column)?.filterParams;
  return (params as { inRangeInclusive?: boolean } | undefined)?.inRangeInclusive === true;
}

type Order = Pick<ViewSnapshot, 'sort' | 'filter'>;

function isSameView(a: Order, b: Order): boolean {
  const [one, other] = [a, b].map(({ sort, filter }) => viewKey({ table: 'any', sort, filter }));
  return one === other;
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

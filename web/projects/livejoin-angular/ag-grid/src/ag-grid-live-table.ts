import { computed, DestroyRef, effect, inject, NgZone, signal, untracked, type Signal } from '@angular/core';
import type {
  FilterModel,
  GridApi,
  IDatasource,
  IGetRowsParams,
  IRowNode,
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
import { BlockRequests, type Block } from './block-requests';
import { filterOf, type FilterParams } from './grid-filter';

/** A row as AG Grid reads it: values by the names of their columns. */
export type AgGridRow = Readonly<Record<string, CellValue>>;

export interface AgGridLiveTableOptions extends Omit<LiveTableOptions, 'sort' | 'window'> {
  /** After how long a block that has not arrived is reported to the grid as failed; 10 s where it is left out. */
  readonly answerWithinMs?: number;
}

/** Of a node, but not in the interface that AG Grid declares for it: what its own blocks are filled with. */
interface FilledNode extends IRowNode<AgGridRow> {
  setDataAndId?(data: AgGridRow, id: string): void;
}

/**
 * A live table for AG Grid (community) with `rowModelType: 'infinite'`. The grid asks for blocks and scrolls over all
 * rows; the rows on the screen change in place as the table does. Sorting and filtering in the grid is done by the
 * server, beside the filter that is given here.
 *
 * Make it in an injection context: it watches the table for as long as the component lives that made it.
 */
export class AgGridLiveTable implements IDatasource {
  readonly #sort = signal<readonly SortBy[]>([]);
  readonly #gridFilter = signal<readonly FilterBy[]>([]);
  readonly #filter: Signal<readonly FilterBy[]>;
  readonly #window = signal<RowWindow | null>(null);
  readonly #problem = signal<string | null>(null);
  readonly #zone = inject(NgZone);
  readonly #blocks: BlockRequests<AgGridRow>;
  /** Which row of the table the grid shows by an object. */
  readonly #sources = new WeakMap<AgGridRow, LiveRow>();
  #visible: RowWindow | null = null;
  #hasFailed = false;
  #api: GridApi<AgGridRow> | null = null;
  /** Columns, size, state and the rest, as signals. */
  readonly live: LiveTable;
  /** Why a block of rows was reported to the grid as failed, in words for a person; null while all is well. */
  readonly problem: Signal<string | null> = this.#problem.asReadonly();

  constructor(name: OrSignal<string>, { answerWithinMs = 10_000, ...options }: AgGridLiveTableOptions = {}) {
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
    this.#blocks = new BlockRequests(answerWithinMs, () => {
      this.#failed(untracked(this.live.error) ?? 'The rows did not arrive in time.');
    });
    effect(() => {
      const snapshot = this.live.snapshot();
      untracked(() => {
        this.#deliver(snapshot);
      });
    });
    inject(DestroyRef).onDestroy(() => {
      this.#blocks.clear();
    });
  }

  getRows(params: IGetRowsParams<AgGridRow>): void {
    // The grid asks a moment after it has decided to, and may be gone by then.
    if (params.api.isDestroyed()) return;
    this.#follow(params.api);
    try {
      this.#show(sortOf(params), this.#filterOf(params));
    } catch (error) {
      // A grid that is told nothing would wait for its rows for ever.
      this.#problem.set(error instanceof Error ? error.message : String(error));
      params.failCallback();
      return;
    }
    this.#zone.runOutsideAngular(() => {
      this.#blocks.add(params);
    });
    this.#moveWindow();
    this.#deliver(untracked(this.live.snapshot));
  }

  /** Called by the grid when it takes another datasource or goes away. */
  destroy(): void {
    if (this.#api !== null && !this.#api.isDestroyed()) {
      this.#api.removeEventListener('viewportChanged', this.#scrolled);
    }
    this.#api = null;
    this.#blocks.clear();
    this.#visible = null;
    this.#window.set(null);
  }

  #follow(api: GridApi<AgGridRow>): void {
    if (this.#api === api) return;
    this.#api = api;
    api.addEventListener('viewportChanged', this.#scrolled);
  }

  #filterOf({ api, filterModel }: IGetRowsParams<AgGridRow>): FilterBy[] {
    return filterOf(filterModel as FilterModel | null, (column) => ({
      kind: untracked(this.live.columns).find(({ name }) => name === column)?.kind,
      params: (api.getColumnDef(column)?.filterParams ?? {}) as FilterParams,
    }));
  }

  #show(sort: readonly SortBy[], filter: readonly FilterBy[]): void {
    const before = { sort: untracked(this.#sort), filter: untracked(this.#gridFilter) };
    if (isSameView({ sort, filter }, before)) return;
    this.#sort.set(sort);
    this.#gridFilter.set(filter);
    // The grid has dropped its blocks and asks for all of them anew.
    this.#blocks.clear();
  }

  readonly #scrolled = ({ firstRow, lastRow }: ViewportChangedEvent<AgGridRow>): void => {
    if (lastRow < firstRow) return;
    this.#visible = { first: Math.max(0, firstRow), last: lastRow };
    this.#moveWindow();
    this.#redraw(untracked(this.live.snapshot));
  };

  /** To the blocks that are waited for; the grid does not ask again for those that it has, so else to the screen. */
  #moveWindow(): void {
    const window = this.#blocks.window ?? this.#visible;
    const before = untracked(this.#window);
    if (window === null || (window.first === before?.first && window.last === before.last)) return;
    this.#window.set(window);
  }

  #deliver(snapshot: ViewSnapshot): void {
    if (this.#api === null || snapshot.state.kind !== 'live' || !this.#isAsked(snapshot)) return;
    this.#problem.set(null);
    this.#api.setRowCount(snapshot.size, true);
    const arrived = new Map(snapshot.rows.map((row) => [row.index, row]));
    this.#blocks.answer((block) => this.#rowsOf(block, snapshot, arrived), snapshot.size);
    this.#redraw(snapshot);
    this.#moveWindow();
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    // Blocks that have failed are not asked for again by themselves.
    this.#api.refreshInfiniteCache();
  }

  #isAsked(snapshot: ViewSnapshot): boolean {
    return isSameView(snapshot, { sort: untracked(this.#sort), filter: untracked(this.#filter) });
  }

  #rowsOf(
    { startRow, endRow }: Block<AgGridRow>,
    snapshot: ViewSnapshot,
    arrived: ReadonlyMap<number, LiveRow>,
  ): AgGridRow[] | null {
    const rows: AgGridRow[] = [];
    for (let index = startRow; index < Math.min(endRow, snapshot.size); index += 1) {
      const row = arrived.get(index);
      if (row === undefined) return null;
      rows.push(this.#gridRow(row, snapshot));
    }
    return rows;
  }

  /** Changes what is on the screen in place. */
  #redraw(snapshot: ViewSnapshot): void {
    if (this.#api === null || snapshot.state.kind !== 'live' || !this.#isAsked(snapshot)) return;
    const arrived = new Map(snapshot.rows.map((row) => [row.index, row]));
    for (const node of this.#api.getRenderedNodes() as FilledNode[]) {
      const row = arrived.get(node.rowIndex ?? -1);
      // A node without data is one whose block is waited for.
      if (row === undefined || node.data === undefined || this.#sources.get(node.data) === row) continue;
      const data = this.#gridRow(row, snapshot);
      // Another row has another id, where the application has said how rows are told apart.
      if (node.setDataAndId === undefined) node.setData(data);
      else node.setDataAndId(data, row.index.toString());
    }
  }

  #gridRow(row: LiveRow, { columns }: ViewSnapshot): AgGridRow {
    const data = Object.fromEntries(columns.map(({ name }, place) => [name, row.cells[place] ?? null]));
    this.#sources.set(data, row);
    return data;
  }

  #failed(reason: string): void {
    this.#hasFailed = true;
    this.#problem.set(reason);
    this.#moveWindow();
  }
}

function sortOf({ sortModel }: IGetRowsParams<AgGridRow>): SortBy[] {
  return sortModel.map(({ colId, sort }) => ({
    column: colId,
    direction: sort === 'desc' ? 'descending' : 'ascending',
  }));
}

type Order = Pick<ViewSnapshot, 'sort' | 'filter'>;

function isSameView(a: Order, b: Order): boolean {
  const [one, other] = [a, b].map(({ sort, filter }) => viewKey({ table: 'any', sort, filter }));
  return one === other;
}

import type { Environment } from './environment';
import { reasonOf } from './errors';
import type { FrameBatch } from './frame-batch';
import type { GatedView } from './generation-gate';
import { keyPlaces } from './key-places';
import { RowReader, type LiveRow } from './live-row';
import { Retry } from './retry';
import { contains, coveringWindow, filledUp, type RowWindow } from './row-window';
import type { EffectiveSettings } from './settings';
import type { Column, Generation, Page, Session, TableHandle } from './table-server';
import type { View } from './view-description';
import { ViewObserver, type ObservedView } from './view-observer';
import { emptySnapshot, type ViewSnapshot, type ViewState } from './view-snapshot';
import { ViewportPacer } from './viewport-pacer';

/** The viewport of a viewer who wants no rows: one row keeps size, state and generation coming. */
const MINIMAL_WINDOW: RowWindow = { first: 0, last: 0 };

/** What a view needs of whoever opened it. */
export interface ViewKeeper {
  readonly frames: FrameBatch;
  /** Whether the page that waits has to stay for a later frame. */
  isHeld(view: LiveView): boolean;
  /** The server has sent something. */
  heard(): void;
  /** The last observer has left. */
  abandoned(): void;
}

/** One view of one table, shared by all its observers. Owns the handle that it fetched, across any number of sessions. */
export class LiveView implements ObservedView, GatedView {
  /** In the order in which they last asked for a window. */
  readonly #observers = new Set<ViewObserver>();
  readonly #retry: Retry;
  readonly #pacer: ViewportPacer;
  readonly #reader = new RowReader();
  #attempt = 0;
  #session: Session | null = null;
  #handle: TableHandle | null = null;
  #page: Page | null = null;
  #viewport: RowWindow = MINIMAL_WINDOW;
  #state: ViewState = { kind: 'loading', reason: null };
  #columns: readonly Column[] = [];
  #keys: readonly number[] = [];
  #size = 0;
  #generation: Generation | null = null;
  #receivedAt: number | null = null;

  constructor(
    private readonly view: View,
    private readonly environment: Environment,
    private readonly settings: EffectiveSettings,
    private readonly keeper: ViewKeeper,
  ) {
    this.#retry = new Retry(environment);
    this.#pacer = new ViewportPacer(
      environment,
      settings.answerWithinMs,
      ({ first, last }) => {
        this.#handle?.look(first, last);
      },
      () => {
        this.#lost(`${view.table} does not answer.`);
      },
    );
  }

  get table(): string {
    return this.view.table;
  }

  get receivedAt(): number | null {
    return this.#receivedAt;
  }

  get shown(): Generation | null {
    // Also of rows that are marked as old: a swap may have happened while the connection was away.
    return this.#generation;
  }

  get waiting(): Generation | null | undefined {
    return this.#page === null ? undefined : this.#page.generation;
  }

  observe(): ViewObserver {
    const observer = new ViewObserver(this, emptySnapshot(this.view.table));
    this.#observers.add(observer);
    observer.snapshot.set(this.#snapshotFor(observer));
    return observer;
  }

  windowChanged(observer: ViewObserver): void {
    this.#observers.delete(observer);
    this.#observers.add(observer);
    this.#moveViewport();
    this.keeper.frames.add(this.#deliver);
  }

  release(observer: ViewObserver): void {
    this.#observers.delete(observer);
    if (this.#observers.size === 0) this.keeper.abandoned();
    else this.#moveViewport();
  }

  /** The connection is live: fetches the table by its name. */
  attach(session: Session): void {
    this.#session = session;
    this.#retry.reset();
    void this.#fetch(session);
  }

  /** The connection is gone: the rows stay and say that they are old. */
  detach(reason: string): void {
    this.#session = null;
    this.#retry.cancel();
    this.#dropHandle();
    this.#markStale(reason);
  }

  refresh(): void {
    if (this.#session !== null) void this.#fetch(this.#session);
  }

  /** Gives up the rows too; for logging out, where the next person must not see them. */
  forget(): void {
    this.#reader.forget();
    this.#size = 0;
    this.#generation = null;
    this.#receivedAt = null;
    this.#state = { kind: 'loading', reason: null };
    this.keeper.frames.add(this.#deliver);
  }

  close(): void {
    this.#session = null;
    this.#retry.cancel();
    this.#dropHandle();
    this.keeper.frames.remove(this.#deliver);
  }

  async #fetch(session: Session): Promise<void> {
    this.#dropHandle();
    const attempt = this.#attempt;
    let handle: TableHandle;
    try {
      handle = await session.fetchTable(this.view);
    } catch (error) {
      if (attempt === this.#attempt) this.#lost(reasonOf(error));
      return;
    }
    if (attempt !== this.#attempt) {
      handle.close();
      return;
    }
    this.#handle = handle;
    handle.onPage((page) => {
      if (attempt === this.#attempt) this.#arrived(page);
    });
    handle.onFailed((reason) => {
      if (attempt === this.#attempt) this.#lost(reason);
    });
    this.#moveViewport();
  }

  #moveViewport(): void {
    const windows = [...this.#observers].flatMap(({ window }) => (window === null ? [] : [window]));
    this.#request(coveringWindow(windows, this.settings.viewportRows) ?? MINIMAL_WINDOW);
  }

  #request(viewport: RowWindow): void {
    this.#viewport = viewport;
    if (this.#handle !== null) this.#pacer.want(viewport);
  }

  #arrived(page: Page): void {
    this.#receivedAt = this.environment.now();
    this.keeper.heard();
    this.#retry.works();
    this.#pacer.arrived();
    const filled = filledUp(this.#viewport, page.size);
    if (page.size < this.#size && filled.first < page.offset) {
      // The table has shrunk under the viewport. What is left of it would leave a hole where rows were, so the page
      // that fills it is waited for.
      this.#request(filled);
      return;
    }
    this.#page = page;
    this.keeper.frames.add(this.#deliver);
  }

  /** The table, not the connection, is in trouble: fetches it again by name. */
  #lost(reason: string): void {
    const before = this.#state.kind;
    this.#dropHandle();
    this.#markStale(reason);
    if (before !== this.#state.kind) {
      this.environment.report(`livejoin ${this.view.table}: ${before} -> ${this.#state.kind}: ${reason}`);
    }
    this.#retry.schedule(() => {
      if (this.#session !== null) void this.#fetch(this.#session);
    });
  }

  #dropHandle(): void {
    this.#attempt += 1;
    this.#pacer.stop();
    this.#page = null;
    this.#handle?.close();
    this.#handle = null;
  }

  #markStale(reason: string): void {
    this.#state = this.#receivedAt === null ? { kind: 'loading', reason } : { kind: 'stale', reason };
    this.keeper.frames.add(this.#deliver);
  }

  readonly #deliver = (): void => {
    if (this.keeper.isHeld(this)) this.keeper.frames.add(this.#deliver);
    else this.#readPage();
    for (const observer of [...this.#observers]) observer.snapshot.set(this.#snapshotFor(observer));
  };

  #readPage(): void {
    const handle = this.#handle;
    const page = this.#page;
    if (handle === null || page === null) return;
    this.#page = null;
    this.#state = { kind: 'live' };
    this.#size = page.size;
    this.#generation = page.generation;
    if (!sameColumns(handle.columns, this.#columns)) {
      this.#columns = handle.columns;
      this.#keys = keyPlaces(handle.columns);
      this.#reader.forget();
    }
    this.#reader.read(page, this.environment.now(), this.#keys);
  }

  #snapshotFor(observer: ViewObserver): ViewSnapshot {
    const { window } = observer;
    return {
      table: this.view.table,
      sort: this.view.sort,
      filter: this.view.filter,
      state: this.#state,
      columns: this.#columns,
      size: this.#size,
      rows: window === null ? [] : this.#rowsOf(filledUp(window, this.#size)),
      generation: this.#generation,
      covered: window === null || contains(this.#viewport, window),
      receivedAt: this.#receivedAt,
    };
  }

  #rowsOf({ first, last }: RowWindow): LiveRow[] {
    const rows: LiveRow[] = [];
    for (let index = first; index <= last && index < this.#size; index += 1) {
      const row = this.#reader.rows.get(index);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }
}

function sameColumns(a: readonly Column[], b: readonly Column[]): boolean {
  return a.length === b.length && a.every((column, place) => sameColumn(column, b[place]));
}

function sameColumn(a: Column, b: Column | undefined): boolean {
  return a.name === b?.name && a.kind === b.kind && a.key === b.key && a.source === b.source;
}

import type { Environment } from './environment';
import { reasonOf } from './errors';
import type { FrameBatch } from './frame-batch';
import { readRows, type LiveRow } from './live-row';
import { Retry } from './retry';
import { contains, coveringWindow, type RowWindow } from './row-window';
import type { EffectiveSettings } from './settings';
import type { Column, Page, Session, TableHandle } from './table-server';
import { ViewObserver, type ObservedView } from './view-observer';
import { emptySnapshot, type ViewSnapshot, type ViewState } from './view-snapshot';
import { ViewportPacer } from './viewport-pacer';

/** More rows than this in one viewport cost more than a second look at the server. */
const VIEWPORT_CAP = 2_000;

/** The viewport of a viewer who wants no rows: one row keeps size and state coming. */
const MINIMAL_WINDOW: RowWindow = { first: 0, last: 0 };

/** One view of one table, shared by all its observers. Owns the handle that it fetched, across any number of sessions. */
export class LiveView implements ObservedView {
  /** In the order in which they last asked for a window. */
  readonly #observers = new Set<ViewObserver>();
  readonly #retry: Retry;
  readonly #pacer: ViewportPacer;
  #generation = 0;
  #session: Session | null = null;
  #handle: TableHandle | null = null;
  #page: Page | null = null;
  #rows = new Map<number, LiveRow>();
  #viewport: RowWindow = MINIMAL_WINDOW;
  #state: ViewState = { kind: 'loading', reason: null };
  #columns: readonly Column[] = [];
  #size = 0;
  #receivedAt: number | null = null;

  constructor(
    readonly table: string,
    private readonly columnNames: readonly string[] | null,
    private readonly environment: Environment,
    private readonly settings: EffectiveSettings,
    private readonly frames: FrameBatch,
    private readonly abandoned: () => void,
  ) {
    this.#retry = new Retry(environment);
    this.#pacer = new ViewportPacer(
      environment,
      settings.answerWithinMs,
      ({ first, last }) => {
        try {
          this.#handle?.setViewport(first, last, this.columnNames, this.settings.updateIntervalMs);
        } catch (error) {
          this.#lost(reasonOf(error));
        }
      },
      () => {
        this.#lost(`${table} does not answer.`);
      },
    );
  }

  get receivedAt(): number | null {
    return this.#receivedAt;
  }

  observe(): ViewObserver {
    const observer = new ViewObserver(this, emptySnapshot(this.table));
    this.#observers.add(observer);
    observer.snapshot.set(this.#snapshotFor(observer));
    return observer;
  }

  windowChanged(observer: ViewObserver): void {
    this.#observers.delete(observer);
    this.#observers.add(observer);
    this.#moveViewport();
    this.frames.add(this.#deliver);
  }

  release(observer: ViewObserver): void {
    this.#observers.delete(observer);
    if (this.#observers.size === 0) this.abandoned();
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

  /** Gives up the rows too; for logging out, where the next person must not see them. */
  forget(): void {
    this.#rows.clear();
    this.#size = 0;
    this.#receivedAt = null;
    this.#state = { kind: 'loading', reason: null };
    this.frames.add(this.#deliver);
  }

  close(): void {
    this.#session = null;
    this.#retry.cancel();
    this.#dropHandle();
    this.frames.remove(this.#deliver);
  }

  async #fetch(session: Session): Promise<void> {
    this.#dropHandle();
    const generation = this.#generation;
    let handle: TableHandle;
    try {
      handle = await session.fetchTable(this.table);
    } catch (error) {
      if (generation === this.#generation) this.#lost(reasonOf(error));
      return;
    }
    if (generation !== this.#generation) {
      handle.close();
      return;
    }
    this.#handle = handle;
    handle.onPage((page) => {
      if (generation === this.#generation) this.#arrived(page);
    });
    handle.onSize(() => {
      if (generation === this.#generation) this.frames.add(this.#deliver);
    });
    handle.onFailed((reason) => {
      if (generation === this.#generation) this.#lost(reason);
    });
    this.#moveViewport();
  }

  #moveViewport(): void {
    const windows = [...this.#observers].flatMap(({ window }) => (window === null ? [] : [window]));
    this.#viewport = coveringWindow(windows, VIEWPORT_CAP) ?? MINIMAL_WINDOW;
    if (this.#handle !== null) this.#pacer.want(this.#viewport);
  }

  #arrived(page: Page): void {
    this.#page = page;
    this.#receivedAt = this.environment.now();
    this.#retry.works();
    this.#pacer.arrived(page.offset);
    this.frames.add(this.#deliver);
  }

  /** The table, not the connection, is in trouble: fetches it again by name. */
  #lost(reason: string): void {
    this.#dropHandle();
    this.#markStale(reason);
    this.#retry.schedule(() => {
      if (this.#session !== null) void this.#fetch(this.#session);
    });
  }

  #dropHandle(): void {
    this.#generation += 1;
    this.#pacer.stop();
    this.#page = null;
    this.#handle?.close();
    this.#handle = null;
  }

  #markStale(reason: string): void {
    this.#state = this.#receivedAt === null ? { kind: 'loading', reason } : { kind: 'stale', reason };
    this.frames.add(this.#deliver);
  }

  readonly #deliver = (): void => {
    this.#readPage();
    for (const observer of [...this.#observers]) observer.snapshot.set(this.#snapshotFor(observer));
  };

  #readPage(): void {
    const handle = this.#handle;
    const page = this.#page;
    if (handle === null) return;
    if (this.#receivedAt !== null) this.#size = handle.size;
    if (page === null) return;
    this.#page = null;
    this.#state = { kind: 'live' };
    this.#columns = this.#chosen(handle.columns);
    const rows = readRows(page, this.#columns, this.#rows, this.environment.now());
    this.#rows = new Map(rows.map((row) => [row.index, row]));
  }

  #chosen(columns: readonly Column[]): readonly Column[] {
    const names = this.columnNames;
    const chosen = names === null ? columns : columns.filter(({ name }) => names.includes(name));
    const same =
      chosen.length === this.#columns.length &&
      chosen.every(({ name, kind }, i) => name === this.#columns[i]?.name && kind === this.#columns[i].kind);
    return same ? this.#columns : chosen;
  }

  #snapshotFor(observer: ViewObserver): ViewSnapshot {
    const { window } = observer;
    const rows: LiveRow[] = [];
    if (window !== null) {
      for (let index = window.first; index <= window.last && index < this.#size; index += 1) {
        const row = this.#rows.get(index);
        if (row !== undefined) rows.push(row);
      }
    }
    return {
      table: this.table,
      state: this.#state,
      columns: this.#columns,
      size: this.#size,
      rows,
      covered: window === null || contains(this.#viewport, window),
      receivedAt: this.#receivedAt,
    };
  }
}

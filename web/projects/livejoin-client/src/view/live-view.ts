import type { Environment } from '../environment';
import type { EffectiveSettings } from '../settings';
import type { Generation, Page, Session } from '../table-server';
import { Arrivals } from './arrivals';
import { Audience } from './audience';
import type { FrameBatch } from './frame-batch';
import type { GatedView } from './generation-gate';
import { ShownTable } from './shown-table';
import { TableFetch } from './table-fetch';
import type { View } from './view-description';
import { ViewObserver, type ObservedView } from './view-observer';
import { emptySnapshot, type ViewSnapshot } from './view-snapshot';
import { Viewport } from './viewport';
import { ViewportPacer } from './viewport-pacer';
import type { RowWindow } from './row-window';

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

/**
 * One view of one table, shared by all its observers, across any number of sessions. It puts together what they want
 * (`Audience`), what the server is asked for (`Viewport`, `ViewportPacer`), what comes of it (`TableFetch`, `Arrivals`)
 * and what is on the screen (`ShownTable`).
 */
export class LiveView implements ObservedView, GatedView {
  readonly #audience = new Audience();
  readonly #viewport: Viewport;
  readonly #pacer: ViewportPacer;
  readonly #fetch: TableFetch;
  readonly #arrivals = new Arrivals();
  readonly #shown: ShownTable;

  constructor(
    private readonly view: View,
    private readonly environment: Environment,
    settings: EffectiveSettings,
    private readonly keeper: ViewKeeper,
  ) {
    this.#viewport = new Viewport(settings.viewportRows);
    this.#shown = new ShownTable(view);
    this.#fetch = new TableFetch(view, environment, settings.answerWithinMs, {
      opened: () => {
        this.#begin();
      },
      page: (page) => {
        this.#arrived(page);
      },
      lost: (reason) => {
        this.#lost(reason);
      },
    });
    this.#pacer = new ViewportPacer(
      environment,
      settings.answerWithinMs,
      ({ first, last }) => {
        this.#fetch.handle?.look(first, last);
      },
      () => {
        this.#fetch.lose(`${view.table} does not answer.`);
      },
    );
  }

  get table(): string {
    return this.view.table;
  }

  get receivedAt(): number | null {
    return this.#shown.receivedAt;
  }

  get shown(): Generation | null {
    return this.#shown.generation;
  }

  get waiting(): Generation | null | undefined {
    return this.#arrivals.generation;
  }

  observe(): ViewObserver {
    const observer = new ViewObserver(this, emptySnapshot(this.view.table));
    this.#audience.heard(observer);
    observer.snapshot.set(this.#snapshotFor(null));
    return observer;
  }

  windowChanged(observer: ViewObserver): void {
    this.#audience.heard(observer);
    this.#moveViewport();
    this.keeper.frames.add(this.#deliver);
  }

  release(observer: ViewObserver): void {
    this.#audience.dismiss(observer);
    if (this.#audience.isEmpty) this.keeper.abandoned();
    else this.#moveViewport();
  }

  /** The connection is live: fetches the table by its name. */
  attach(session: Session): void {
    this.#stopWaiting();
    this.#fetch.attach(session);
  }

  /** The connection is gone: the rows stay and say that they are old. */
  detach(reason: string): void {
    this.#stopWaiting();
    this.#fetch.detach();
    this.#age(reason);
  }

  refresh(): void {
    this.#stopWaiting();
    this.#fetch.refresh();
  }

  /** Gives up the rows too; for logging out, where the next person must not see them. */
  forget(): void {
    this.#shown.forget();
    this.#viewport.forget();
    this.keeper.frames.add(this.#deliver);
  }

  close(): void {
    this.#stopWaiting();
    this.#fetch.detach();
    this.keeper.frames.remove(this.#deliver);
  }

  #moveViewport(): void {
    this.#viewport.want(this.#audience.windows);
    if (this.#fetch.handle !== null) this.#pacer.want(this.#viewport.asked);
  }

  /** A handle that has not been looked at. */
  #begin(): void {
    this.#pacer.want(this.#viewport.asked);
  }

  #arrived(page: Page): void {
    this.#shown.heard(this.environment.now());
    this.keeper.heard();
    const isWhole = this.#viewport.sized(page.size);
    const isMoving = this.#pacer.arrived(this.#viewport.asked);
    const leavesHole = !isWhole && isMoving && page.size < this.#shown.size;
    if (this.#arrivals.take(page, leavesHole)) this.keeper.frames.add(this.#deliver);
  }

  /** The table, not the connection, is in trouble: it is fetched again by name. */
  #lost(reason: string): void {
    const before = this.#shown.state.kind;
    this.#stopWaiting();
    this.#age(reason);
    const { kind } = this.#shown.state;
    if (before !== kind)
      this.environment.report(`livejoin ${this.view.table}: ${before} -> ${kind}: ${reason}`);
  }

  #stopWaiting(): void {
    this.#pacer.stop();
    this.#arrivals.clear();
  }

  #age(reason: string): void {
    this.#shown.age(reason);
    this.keeper.frames.add(this.#deliver);
  }

  readonly #deliver = (): void => {
    if (this.keeper.isHeld(this)) this.keeper.frames.add(this.#deliver);
    else this.#showPage();
    this.#audience.show((window) => this.#snapshotFor(window));
  };

  #showPage(): void {
    const { handle } = this.#fetch;
    const page = this.#arrivals.release();
    if (handle !== null && page !== null) this.#shown.show(page, handle.columns, this.environment.now());
  }

  #snapshotFor(window: RowWindow | null): ViewSnapshot {
    return this.#shown.snapshot(window, window === null || this.#viewport.covers(window));
  }
}

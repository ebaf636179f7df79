import { withDeadline } from '../connection/deadline';
import { Retry } from '../connection/retry';
import type { Environment } from '../environment';
import { reasonOf } from '../errors';
import type { Page, Session, TableHandle } from '../table-server';
import type { View } from './view-description';

/** What is heard of a table that is fetched. */
export interface FetchListener {
  /** It is there, and waits for a first look. */
  opened(handle: TableHandle): void;
  page(page: Page, handle: TableHandle): void;
  /** It is gone; the next try is planned. */
  lost(reason: string): void;
}

/** Fetches a table by its name, again and again while there is a session and it fails. Owns the handle. */
export class TableFetch {
  readonly #retry: Retry;
  #attempt = 0;
  #session: Session | null = null;
  #handle: TableHandle | null = null;

  constructor(
    private readonly view: View,
    private readonly environment: Environment,
    private readonly answerWithinMs: number,
    private readonly listener: FetchListener,
  ) {
    this.#retry = new Retry(environment);
  }

  get handle(): TableHandle | null {
    return this.#handle;
  }

  attach(session: Session): void {
    this.#session = session;
    this.#retry.reset();
    void this.#fetch(session);
  }

  detach(): void {
    this.#session = null;
    this.#retry.cancel();
    this.#drop();
  }

  refresh(): void {
    if (this.#session !== null) void this.#fetch(this.#session);
  }

  /** Gives up a handle that is of no use any more. */
  lose(reason: string): void {
    this.#drop();
    this.#retry.schedule(() => {
      this.refresh();
    });
    this.listener.lost(reason);
  }

  async #fetch(session: Session): Promise<void> {
    this.#drop();
    const attempt = this.#attempt;
    let handle: TableHandle;
    try {
      handle = await this.#open(session);
    } catch (error) {
      if (attempt === this.#attempt) this.lose(reasonOf(error));
      return;
    }
    if (attempt !== this.#attempt) {
      handle.close();
      return;
    }
    this.#handle = handle;
    handle.onPage((page) => {
      if (attempt !== this.#attempt) return;
      this.#retry.works();
      this.listener.page(page, handle);
    });
    handle.onFailed((reason) => {
      if (attempt === this.#attempt) this.lose(reason);
    });
    this.listener.opened(handle);
  }

  #open(session: Session): Promise<TableHandle> {
    const step = `Opening ${this.view.table}`;
    const opening = session.fetchTable(this.view);
    return withDeadline(this.environment, step, this.answerWithinMs, opening, (late) => {
      late.close();
    });
  }

  #drop(): void {
    this.#attempt += 1;
    this.#handle?.close();
    this.#handle = null;
  }
}

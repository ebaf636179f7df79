import type { Declaration } from '../declaration';
import { ServerError, type LivejoinError } from '../errors';
import { Subscribable } from '../subscribable';
import type { Rights, Session, TableHandle } from '../table-server';
import type { View } from '../view/view-description';
import { beyondBounds } from './bounds';
import { described } from './description';
import type { DoorLine } from './door-line';
import { DoorTable } from './door-table';
import { refusal, UnreadableError, type Change, type Opened, type ServerMessage } from './wire';

/** Somebody who waits for an answer. */
interface Asker<T> {
  readonly resolve: (answer: T) => void;
  readonly reject: (error: Error) => void;
}

interface Opening extends Asker<DoorTable> {
  readonly columns: readonly string[] | null;
}

/** A line that is logged in, and what was opened over it. Owns the line. */
export class DoorSession implements Session {
  readonly declaration = new Subscribable<Declaration | null>(null);
  readonly #openings = new Map<number, Opening>();
  readonly #tables = new Map<number, DoorTable>();
  readonly #pings = new Map<number, Asker<void>>();
  /** Never used again: what the server has said of a closed view may still be on its way. */
  #lastView = 0;
  #lastPing = 0;
  #lost: ((why: LivejoinError) => void) | null = null;

  constructor(
    private readonly line: DoorLine,
    readonly rights: Rights,
    readonly clockAhead = 0,
  ) {
    line.hear({
      heard: (message) => {
        this.#heard(message);
      },
      ended: (why) => {
        this.#letGo(why);
        this.#lost?.(why);
      },
    });
  }

  onLost(listener: (why: LivejoinError) => void): void {
    this.#lost = listener;
  }

  probe(): Promise<void> {
    this.#lastPing += 1;
    const id = this.#lastPing;
    return this.#asked((asker) => {
      this.#pings.set(id, asker);
      this.line.say({ do: 'ping', id });
    });
  }

  fetchTable(view: View): Promise<TableHandle> {
    return this.#begin('open', view);
  }

  copyTable(view: View): Promise<TableHandle> {
    return this.#begin('copy', view);
  }

  close(): void {
    this.line.close();
    this.#letGo(new ServerError('The connection to the table server was closed.'));
  }

  #begin(how: 'open' | 'copy', view: View): Promise<TableHandle> {
    const description = described(view);
    const problem = beyondBounds(description);
    if (problem !== null) return Promise.reject(new ServerError(problem));
    this.#lastView += 1;
    const number = this.#lastView;
    return this.#asked<DoorTable>((asker) => {
      this.#openings.set(number, { ...asker, columns: view.columns });
      this.line.say({ do: how, view: number, ...description });
    });
  }

  #asked<T>(ask: (asker: Asker<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.line.hasEnded) reject(new ServerError('The table server is not connected.'));
      else ask({ resolve, reject });
    });
  }

  #heard(message: ServerMessage): void {
    switch (message.is) {
      case 'declared':
        this.declaration.set(message.declaration);
        return;
      case 'opened':
        this.#opened(message);
        return;
      case 'failed':
        this.#failed(message.view, message.reason);
        return;
      case 'rows':
        this.#changed(message.changes);
        return;
      case 'pong':
        this.#pings.get(message.id)?.resolve();
        this.#pings.delete(message.id);
        return;
      case 'refused':
        this.line.breakOff(refusal(message));
        return;
      case 'welcome':
        throw new UnreadableError('a second welcome');
    }
  }

  #opened({ view, columns }: Opened): void {
    const opening = this.#openings.get(view);
    if (opening === undefined) throw new UnreadableError('a view that nobody has asked for');
    this.#openings.delete(view);
    const table = new DoorTable(view, columns, opening.columns, this.line, () => {
      this.#tables.delete(view);
    });
    this.#tables.set(view, table);
    opening.resolve(table);
  }

  #failed(view: number, reason: string): void {
    this.#openings.get(view)?.reject(new ServerError(reason));
    this.#openings.delete(view);
    this.#tables.get(view)?.fail(reason);
  }

  /** All tables have changed before the first of them shows it, because all of it is of one moment. */
  #changed(changes: readonly Change[]): void {
    const shows: (() => void)[] = [];
    for (const change of changes) {
      const table = this.#tables.get(change.view);
      const page = table?.changed(change) ?? null;
      if (table !== undefined && page !== null)
        shows.push(() => {
          table.show(page);
        });
    }
    for (const show of shows) show();
  }

  #letGo(why: LivejoinError): void {
    for (const { reject } of [...this.#openings.values(), ...this.#pings.values()]) reject(why);
    this.#openings.clear();
    this.#pings.clear();
    // Later, because those who hear that the session has ended close their tables themselves; what is left then, such
    // as a copy, belongs to somebody who waits for its rows.
    queueMicrotask(() => {
      for (const table of [...this.#tables.values()]) table.fail(why.message);
    });
  }
}

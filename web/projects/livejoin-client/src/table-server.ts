import type { Declaration } from './declaration';
import type { LivejoinError } from './errors';
import type { Subscribable } from './subscribable';
import type { View } from './view/view-description';

/** What the hub needs of a table server. The real one is in `door/`; tests bring their own. */
export interface TableServer {
  /**
   * Logs in. Rejects with a KeyRefusedError, a SettingsError, or anything else that is worth another try. Whoever asks
   * does not wait for ever, and says by `givenUp` that nothing of it may stay open.
   */
  open(key: string, givenUp: AbortSignal): Promise<Session>;
}

/** One login. Its owner closes it. */
export interface Session {
  readonly rights: Rights;
  /** How far the server's clock is before that of this machine, in milliseconds; 0 where nobody knows. */
  readonly clockAhead?: number;
  /** What the server joins; null before it has said so, which it does right after the login and whenever it changes. */
  readonly declaration: Pick<Subscribable<Declaration | null>, 'value' | 'subscribe'>;
  /**
   * Called once, when the server or the way to it is gone; with a KeyRefusedError where the key was withdrawn, and
   * with anything else where it is worth another try.
   */
  onLost(listener: (why: LivejoinError) => void): void;
  /** Resolves when the server has answered anything at all; rejects when it does not. */
  probe(): Promise<void>;
  /** The caller owns the handle and closes it, also where it comes too late; the table on the server stays. */
  fetchTable(view: View): Promise<TableHandle>;
  /** The same for a copy on the server that no longer changes, and that goes with the handle. */
  copyTable(view: View): Promise<TableHandle>;
  close(): void;
}

/** Whose key it is, and what it opens. The server sees to it; this is for what to offer. */
export interface Rights {
  readonly role: Role;
  readonly name: string;
  /** Whether copies, and so files of all rows, are made for it. */
  readonly mayExport: boolean;
}

/** A viewer looks; an operator sends control messages, too. */
export type Role = 'viewer' | 'operator';

/** One client-side handle of a table on the server, sorted and filtered, with one viewport. */
export interface TableHandle {
  /** Those of the view, in the order in which it names them; all of the table where it names none. */
  readonly columns: readonly Column[];
  /** Called with the rows of the latest look, and again whenever they or the size have changed; never with others. */
  onPage(listener: (page: Page) => void): void;
  /** Called once, when the server has given the table up or the session has ended before the handle was closed. */
  onFailed(listener: (reason: string) => void): void;
  /** Puts the viewport on the rows from `first` to `last`, both included; there may be fewer. */
  look(first: number, last: number): void;
  close(): void;
}

/** The rows of a viewport at one moment. Immutable; a row that has not changed is the same list as in the page before. */
export interface Page {
  /** The number of the first row in the whole table. */
  readonly offset: number;
  /** In the order of the columns. */
  readonly rows: readonly (readonly CellValue[])[];
  /** The number of rows of the whole table at that moment. */
  readonly size: number;
  /** Which generation of the tables the rows belong to; null where there is none. */
  readonly generation: Generation | null;
}

/** All tables of a server change from one generation to another in one moment. It may go back to an earlier one. */
export type Generation = number;

export type ColumnKind = 'text' | 'integer' | 'double' | 'decimal' | 'boolean' | 'instant' | 'date';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whether rows are joined by it. */
  readonly key?: boolean;
  /** The name of the source that it comes from; left out in tables of livejoin's own. */
  readonly source?: string;
}

/** A point in time with the nanoseconds that a Date would lose. */
export interface Instant {
  readonly epochNanos: bigint;
  readonly iso: string;
  /** The same as `iso`. */
  toString(): string;
}

/**
 * 64-bit integers are numbers while a number holds them exactly, and bigints beyond. A decimal is a text with all of its
 * digits, as `12.30`, and a date one as `2024-12-31`.
 */
export type CellValue = string | number | bigint | boolean | Instant | null;

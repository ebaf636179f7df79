import type { View } from './view-description';

/**
 * What the hub needs of a table server. The real one is in `deephaven/`; tests bring their own.
 */
export interface TableServer {
  /** Fetches what logging in will need, while the person still types the key. Never fails. */
  prepare(): void;
  /** Logs in. Rejects with a KeyRefusedError, a SettingsError, or anything else that is worth another try. */
  open(key: string): Promise<Session>;
}

/** One login. Its owner closes it. */
export interface Session {
  /** Called once, when the server or the way to it is gone. */
  onLost(listener: (reason: string) => void): void;
  /** Resolves when the server has answered anything at all; rejects when it does not. */
  probe(): Promise<void>;
  /** The caller owns the handle and closes it; the table on the server stays. */
  fetchTable(view: View): Promise<TableHandle>;
  /** The same for a copy on the server that no longer changes, and that goes with the handle. */
  copyTable(view: View): Promise<TableHandle>;
  close(): void;
}

/** One client-side handle of a table on the server, sorted and filtered, with one viewport. */
export interface TableHandle {
  readonly columns: readonly Column[];
  readonly size: number;
  onPage(listener: (page: Page) => void): void;
  onSize(listener: () => void): void;
  onFailed(listener: (reason: string) => void): void;
  setViewport(first: number, last: number, columns: readonly string[] | null, updateIntervalMs: number): void;
  close(): void;
}

/** The rows of a viewport at one moment. */
export interface Page {
  readonly offset: number;
  readonly length: number;
  /** The number of rows of the whole table at that moment. */
  readonly size: number;
  /** Which generation of the tables the rows belong to; null where that is not known, as for a page without rows. */
  readonly generation: Generation | null;
  cell(row: number, column: string): CellValue;
}

/** All tables of a server change from one generation to another in one moment. It may go back to an earlier one. */
export type Generation = number | bigint;

export type ColumnKind = 'integer' | 'decimal' | 'text' | 'boolean' | 'instant';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A point in time with the nanoseconds that a Date would lose. */
export interface Instant {
  readonly epochNanos: bigint;
  readonly iso: string;
  /** The same as `iso`. */
  toString(): string;
}

/** 64-bit integers are numbers while a number holds them exactly, and bigints beyond. */
export type CellValue = string | number | bigint | boolean | Instant | null;

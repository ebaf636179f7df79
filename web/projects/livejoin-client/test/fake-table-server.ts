import { KeyRefusedError, ServerError } from '../src/errors';
import type { CellValue, Column, Page, Session, TableHandle, TableServer } from '../src/table-server';

export const COLUMNS: readonly Column[] = [
  { name: 'userId', kind: 'text' },
  { name: 'balance', kind: 'decimal' },
];

/** A table server in memory. It can be down, refuse the key, lose sessions and fail tables. */
export class FakeTableServer implements TableServer {
  isDown = false;
  acceptedKey = 'right';
  prepared = 0;
  logins = 0;
  readonly sessions: FakeSession[] = [];
  /** The rows of every table that exists. */
  readonly tables = new Map<string, CellValue[][]>();

  get openHandles(): readonly FakeTable[] {
    return this.sessions.flatMap(({ handles }) => handles.filter(({ isOpen }) => isOpen));
  }

  get latest(): FakeSession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('nobody has logged in');
    return session;
  }

  prepare(): void {
    this.prepared += 1;
  }

  open(key: string): Promise<Session> {
    this.logins += 1;
    if (this.isDown) return Promise.reject(new ServerError('The table server is not reachable.'));
    if (key !== this.acceptedKey) return Promise.reject(new KeyRefusedError());
    const session = new FakeSession(this.tables);
    this.sessions.push(session);
    return Promise.resolve(session);
  }
}

export class FakeSession implements Session {
  isOpen = true;
  readonly handles: FakeTable[] = [];
  #lost: ((reason: string) => void) | null = null;

  constructor(private readonly tables: ReadonlyMap<string, CellValue[][]>) {}

  onLost(listener: (reason: string) => void): void {
    this.#lost = listener;
  }

  lose(reason = 'The connection was lost.'): void {
    this.#lost?.(reason);
  }

  fetchTable(name: string): Promise<TableHandle> {
    const rows = this.tables.get(name);
    if (rows === undefined) return Promise.reject(new ServerError(`The table server has no ${name} yet.`));
    const handle = new FakeTable(rows);
    this.handles.push(handle);
    return Promise.resolve(handle);
  }

  close(): void {
    this.isOpen = false;
  }
}

export class FakeTable implements TableHandle {
  readonly columns = COLUMNS;
  readonly viewports: (readonly [first: number, last: number])[] = [];
  isOpen = true;
  #page: ((page: Page) => void) | null = null;
  #failed: ((reason: string) => void) | null = null;

  constructor(private readonly rows: CellValue[][]) {}

  get size(): number {
    return this.rows.length;
  }

  onPage(listener: (page: Page) => void): void {
    this.#page = listener;
  }

  onSize(): void {
    return;
  }

  onFailed(listener: (reason: string) => void): void {
    this.#failed = listener;
  }

  setViewport(first: number, last: number): void {
    this.viewports.push([first, last]);
  }

  /** Sends the rows of the viewport as they are now. */
  send(): void {
    const [first, last] = this.viewports.at(-1) ?? [0, 0];
    const rows = this.rows.slice(first, last + 1).map((row) => [...row]);
    this.#page?.({
      offset: first,
      length: rows.length,
      cell: (row, column) => rows[row]?.[COLUMNS.findIndex(({ name }) => name === column)] ?? null,
    });
  }

  fail(reason: string): void {
    this.#failed?.(reason);
  }

  close(): void {
    this.isOpen = false;
  }
}

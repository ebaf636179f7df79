import {
  KeyRefusedError,
  ServerError,
  Subscribable,
  tablesOf,
  type CellValue,
  type Column,
  type Declaration,
  type Generation,
  type LivejoinError,
  type Page,
  type Rights,
  type Session,
  type TableHandle,
  type TableServer,
  type View,
} from 'livejoin-client';
import { rowsOfView } from './fake-view';

/** The columns of a table for which no others are named. */
export const COLUMNS: readonly Column[] = [
  { name: 'id', kind: 'text', key: true },
  { name: 'amount', kind: 'double' },
];

/** What a server joins for which nothing else is declared. */
export const DECLARATION: Declaration = {
  left: { name: 'events', table: 'events_ui', topicField: 'eventsTopic', keep: 'all' },
  right: { name: 'details', table: 'details_ui', topicField: 'detailsTopic', keep: 'latest' },
  joined: { table: 'final_ui' },
  on: [['id', 'id']],
  joins: ['left', 'inner', 'asof'],
};

/** A table server in memory. It can be down, be silent, refuse the key, lose sessions, fail tables and join others. */
export class FakeTableServer implements TableServer {
  isDown = false;
  /** Whether it leaves every question without an answer. */
  isSilent = false;
  /** Why a view cannot be shown, in the words of a server; null where it can. */
  refuse: (view: View) => string | null = () => null;
  /** Whether it sends the rows as soon as they are looked at, as a real one does. Off where a test does it by hand. */
  answersAtOnce = false;
  acceptedKey = 'right';
  /** Of whoever logs in from now on. */
  rights: Rights = { role: 'operator', name: 'ana', mayExport: true };
  generation: Generation | null = null;
  /** How far its clock is before that of whoever logs in from now on, in milliseconds. */
  clockAhead = 0;
  #declaration: Declaration = DECLARATION;
  logins = 0;
  readonly sessions: FakeSession[] = [];
  /** The rows of every table that exists. */
  readonly tables = new Map<string, CellValue[][]>();
  readonly columns = new Map<string, readonly Column[]>();

  get declaration(): Declaration {
    return this.#declaration;
  }

  get openHandles(): readonly FakeTable[] {
    return this.sessions.flatMap(({ handles }) => handles.filter(({ isOpen }) => isOpen));
  }

  get latest(): FakeSession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('nobody has logged in');
    return session;
  }

  /**
   * Joins something else from now on. Whoever is logged in is told, and then loses the views of the tables that there
   * were; those that are no longer declared are gone.
   */
  declare(declaration: Declaration): void {
    const former = tablesOf(this.#declaration);
    const declared = tablesOf(declaration);
    this.#declaration = declaration;
    for (const table of former) if (!declared.includes(table)) this.tables.delete(table);
    const lost = this.openHandles.filter(({ view }) => former.includes(view.table));
    for (const session of this.sessions) session.declaration.set(declaration);
    for (const handle of lost) if (handle.isOpen) handle.fail('what is joined has changed');
  }

  /** Gives a table these rows, and sends them to everybody who watches it. */
  show(table: string, rows: CellValue[][], columns: readonly Column[] = COLUMNS): void {
    this.tables.set(table, rows);
    this.columns.set(table, columns);
    for (const handle of this.openHandles) {
      if (handle.view.table === table && handle.looks.length > 0) handle.send();
    }
  }

  columnsOf(table: string): readonly Column[] {
    return this.columns.get(table) ?? COLUMNS;
  }

  /** The rows of a view at this moment, filtered and sorted, with all cells of the table. */
  rowsOf(view: View): readonly (readonly CellValue[])[] {
    return rowsOfView(this.tables.get(view.table) ?? [], this.columnsOf(view.table), view);
  }

  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- so that a test may bring another with all of them
  open(key: string, _givenUp?: AbortSignal): Promise<Session> {
    this.logins += 1;
    if (this.isSilent) return new Promise(() => undefined);
    if (this.isDown) return Promise.reject(new ServerError('The table server is not reachable.'));
    if (key !== this.acceptedKey) return Promise.reject(new KeyRefusedError());
    const session = new FakeSession(this);
    this.sessions.push(session);
    return Promise.resolve(session);
  }
}

export class FakeSession implements Session {
  isOpen = true;
  probes = 0;
  readonly handles: FakeTable[] = [];
  readonly rights: Rights;
  readonly clockAhead: number;
  readonly declaration: Subscribable<Declaration | null>;
  #lost: ((why: LivejoinError) => void) | null = null;

  constructor(private readonly server: FakeTableServer) {
    this.rights = server.rights;
    this.clockAhead = server.clockAhead;
    this.declaration = new Subscribable<Declaration | null>(server.declaration);
  }

  onLost(listener: (why: LivejoinError) => void): void {
    this.#lost = listener;
  }

  lose(reason = 'The connection was lost.'): void {
    this.#lost?.(new ServerError(reason));
  }

  /** Ends as a session does whose key was taken away. */
  withdrawKey(): void {
    this.#lost?.(new KeyRefusedError());
  }

  probe(): Promise<void> {
    this.probes += 1;
    return this.server.isSilent ? new Promise(() => undefined) : Promise.resolve();
  }

  fetchTable(view: View): Promise<TableHandle> {
    if (this.server.isSilent) return new Promise(() => undefined);
    if (!this.server.tables.has(view.table)) {
      return Promise.reject(new ServerError(`The table server has no ${view.table} yet.`));
    }
    const columns = this.server.columnsOf(view.table);
    const unknown = [...view.sort, ...view.filter].find(({ column }) =>
      columns.every(({ name }) => name !== column),
    );
    if (unknown !== undefined) {
      return Promise.reject(new ServerError(`${view.table} has no column ${unknown.column}.`));
    }
    const refused = this.server.refuse(view);
    if (refused !== null) return Promise.reject(new ServerError(refused));
    const handle = new FakeTable(this.server, view);
    this.handles.push(handle);
    return Promise.resolve(handle);
  }

  async copyTable(view: View): Promise<TableHandle> {
    if (!this.rights.mayExport) throw new ServerError('this key may look, and not export');
    const handle = (await this.fetchTable(view)) as FakeTable;
    handle.freeze();
    return handle;
  }

  close(): void {
    this.isOpen = false;
  }
}

export class FakeTable implements TableHandle {
  readonly looks: (readonly [first: number, last: number])[] = [];
  isOpen = true;
  #frozen: readonly (readonly CellValue[])[] | null = null;
  #page: ((page: Page) => void) | null = null;
  #failed: ((reason: string) => void) | null = null;

  constructor(
    private readonly server: FakeTableServer,
    readonly view: View,
  ) {}

  get columns(): readonly Column[] {
    const all = this.#allColumns;
    return this.view.columns?.flatMap((wanted) => all.filter(({ name }) => name === wanted)) ?? all;
  }

  onPage(listener: (page: Page) => void): void {
    this.#page = listener;
  }

  onFailed(listener: (reason: string) => void): void {
    this.#failed = listener;
  }

  /** Keeps the rows of this moment, as a copy on a real server does. */
  freeze(): void {
    this.#frozen = this.#rows.map((row) => [...row]);
  }

  look(first: number, last: number): void {
    this.looks.push([first, last]);
    if (!this.server.answersAtOnce) return;
    queueMicrotask(() => {
      if (this.isOpen) this.send();
    });
  }

  /** Sends the rows that are looked at as they are at this moment. */
  send(): void {
    const [offset, last] = this.looks.at(-1) ?? [0, 0];
    const all = this.#allColumns;
    const places = this.columns.map((column) => all.indexOf(column));
    const rows = this.#rows;
    this.#page?.({
      offset,
      rows: rows.slice(offset, last + 1).map((row) => places.map((place) => row[place] ?? null)),
      size: rows.length,
      generation: this.server.generation,
    });
  }

  fail(reason: string): void {
    this.#failed?.(reason);
  }

  close(): void {
    this.isOpen = false;
  }

  get #allColumns(): readonly Column[] {
    return this.server.columnsOf(this.view.table);
  }

  get #rows(): readonly (readonly CellValue[])[] {
    return this.#frozen ?? this.server.rowsOf(this.view);
  }
}

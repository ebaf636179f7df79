import type { DeephavenApi } from '../../src/deephaven/api-loader';

type Listener = (event: { detail: unknown }) => void;

class Emitter {
  readonly #listeners = new Map<string, Set<Listener>>();

  addEventListener(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  fire(name: string, detail: unknown = null): void {
    for (const listener of this.#listeners.get(name) ?? []) listener({ detail });
  }
}

export class FakeDhColumn {
  constructor(
    readonly name: string,
    readonly type: string,
  ) {}

  sort() {
    return { asc: () => `${this.name} up`, desc: () => `${this.name} down` };
  }

  /** Every method answers with a text that tells what was asked. */
  filter() {
    interface Condition {
      readonly text: string;
    }
    const condition = (text: string) => {
      const join = (word: string, others: readonly Condition[]): Condition =>
        condition([text, ...others.map((other) => other.text)].join(` ${word} `));
      return {
        text,
        not: () => ({ text: `not ${text}` }),
        or: (...others: Condition[]) => join('or', others),
        and: (...others: Condition[]) => join('and', others),
      };
    };
    return new Proxy(
      {},
      {
        get: (_, method) => (term?: unknown) =>
          condition([this.name, String(method), term].flat().join(' ').trim()),
      },
    );
  }
}

export class FakeDhTable extends Emitter {
  columns = [new FakeDhColumn('userId', 'java.lang.String'), new FakeDhColumn('age', 'long')];
  size = -1;
  isClosed = false;
  readonly viewports: unknown[][] = [];
  readonly sorts: unknown[] = [];
  readonly filters: unknown[] = [];
  readonly joins: FakeDhTable[] = [];
  readonly copies: FakeDhTable[] = [];

  findColumns(names: string[]) {
    return this.columns.filter(({ name }) => names.includes(name));
  }

  applySort(sort: unknown): void {
    this.sorts.push(sort);
  }

  applyFilter(filter: unknown): void {
    this.filters.push(filter);
  }

  naturalJoin(right: FakeDhTable, match: string[], [add]: [string]): Promise<FakeDhTable> {
    const joined = new FakeDhTable();
    joined.columns = [...this.columns, new FakeDhColumn(add.split('=')[0] ?? '', 'long')];
    if (!right.isClosed && match.length === 0) this.joins.push(joined);
    return Promise.resolve(joined);
  }

  freeze(): Promise<FakeDhTable> {
    const copy = new FakeDhTable();
    copy.columns = this.columns;
    this.copies.push(copy);
    return Promise.resolve(copy);
  }

  setViewport(...args: unknown[]): void {
    this.viewports.push(args);
  }

  close(): void {
    this.isClosed = true;
  }
}

export class FakeDhConnection extends Emitter {
  readonly fetched: { id: string; type: string }[] = [];
  readonly tables: FakeDhTable[] = [];
  answer: (name: string) => Promise<FakeDhTable> = () => Promise.resolve(new FakeDhTable());

  async getObject(descriptor: { id: string; type: string }): Promise<FakeDhTable> {
    this.fetched.push(descriptor);
    const table = await this.answer(atob(descriptor.id));
    this.tables.push(table);
    return table;
  }
}

/** As much of the Deephaven API as the adapter uses, with the answers that the real one was seen to give. */
export class FakeDeephaven {
  readonly connection = new FakeDhConnection();
  readonly credentials: unknown[] = [];
  disconnects = 0;
  login: () => Promise<void> = () => Promise.resolve();
  configuration: () => Promise<string[][]> = () => Promise.resolve([]);

  get api(): DeephavenApi {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the class below is constructed by the code under test
    const fake = this;
    class CoreClient {
      static readonly EVENT_REQUEST_FAILED = 'requestfailed';
      static readonly EVENT_RECONNECT_AUTH_FAILED = 'reconnectauthfailed';
      getAsIdeConnection() {
        return Promise.resolve(fake.connection);
      }
      login(credentials: unknown) {
        fake.credentials.push(credentials);
        return fake.login();
      }
      getServerConfigValues() {
        return fake.configuration();
      }
      disconnect() {
        fake.disconnects += 1;
        throw new TypeError('the real one throws where no login succeeded');
      }
    }
    const IdeConnection = { EVENT_DISCONNECT: 'disconnect', EVENT_SHUTDOWN: 'shutdown' };
    const Table = {
      EVENT_UPDATED: 'updated',
      EVENT_SIZECHANGED: 'sizechanged',
      EVENT_REQUEST_FAILED: 'requestfailed',
      EVENT_DISCONNECT: 'disconnect',
    };
    const FilterValue = {
      ofString: (value: string) => `"${value}"`,
      ofNumber: (value: unknown) => String(value),
      ofBoolean: (value: boolean) => String(value),
    };
    const i18n = {
      DateTimeFormat: {
        parse: (pattern: string, text: string, zone: string) => [pattern, text, zone].join(' '),
      },
      TimeZone: { getTimeZone: (name: string) => name },
    };
    const LongWrapper = { ofString: (text: string) => `long ${text}` };
    return { CoreClient, IdeConnection, Table, FilterValue, LongWrapper, i18n } as unknown as DeephavenApi;
  }
}

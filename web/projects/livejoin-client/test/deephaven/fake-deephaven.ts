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

export class FakeDhTable extends Emitter {
  readonly columns = [
    { name: 'userId', type: 'java.lang.String' },
    { name: 'age', type: 'long' },
  ];
  size = -1;
  isClosed = false;
  readonly viewports: unknown[][] = [];

  findColumns(names: string[]) {
    return this.columns.filter(({ name }) => names.includes(name));
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
  answer: () => Promise<FakeDhTable> = () => Promise.resolve(new FakeDhTable());

  getObject(descriptor: { id: string; type: string }): Promise<FakeDhTable> {
    this.fetched.push(descriptor);
    return this.answer();
  }
}

/** As much of the Deephaven API as the adapter uses, with the answers that the real one was seen to give. */
export class FakeDeephaven {
  readonly connection = new FakeDhConnection();
  readonly credentials: unknown[] = [];
  disconnects = 0;
  login: () => Promise<void> = () => Promise.resolve();

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
    return { CoreClient, IdeConnection, Table } as unknown as DeephavenApi;
  }
}

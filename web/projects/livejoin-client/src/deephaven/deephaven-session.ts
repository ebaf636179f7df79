import type { dh } from '@deephaven/jsapi-types';
import { withDeadline } from '../deadline';
import type { Environment } from '../environment';
import { reasonOf, ServerError } from '../errors';
import { checkedTableName } from '../settings';
import type { Session, TableHandle } from '../table-server';
import type { DeephavenApi } from './api-loader';
import { DeephavenTable } from './deephaven-table';

/** Tables are exports of this application on the server; script variables are not reachable by viewers. */
const APPLICATION = 'livejoin';

/**
 * One logged-in client. After a loss the client is given up rather than left to reconnect by itself, because it never
 * finds its tables again on a server that was restarted.
 */
export class DeephavenSession implements Session {
  #lost: ((reason: string) => void) | null = null;
  #closed = false;

  constructor(
    private readonly api: DeephavenApi,
    private readonly client: dh.CoreClient,
    private readonly connection: dh.IdeConnection,
    private readonly environment: Environment,
    private readonly answerWithinMs: number,
  ) {
    const { CoreClient, IdeConnection } = api;
    this.#listen(IdeConnection.EVENT_DISCONNECT, 'The connection to the table server was lost.');
    this.#listen(IdeConnection.EVENT_SHUTDOWN, 'The table server was shut down.');
    this.#listen(CoreClient.EVENT_RECONNECT_AUTH_FAILED, 'The session at the table server has expired.');
  }

  onLost(listener: (reason: string) => void): void {
    this.#lost = listener;
  }

  async fetchTable(name: string): Promise<TableHandle> {
    const id = btoa(`a/${APPLICATION}/f/${checkedTableName(name)}`);
    const fetching = this.connection.getObject({ id, type: 'Table' }) as Promise<dh.Table>;
    try {
      const table = await withDeadline(
        this.environment,
        `Fetching ${name}`,
        this.answerWithinMs,
        fetching,
        (late) => {
          late.close();
        },
      );
      return new DeephavenTable(this.api, table);
    } catch (error) {
      const reason = reasonOf(error);
      throw new ServerError(/not found/i.test(reason) ? `The table server has no ${name} yet.` : reason);
    }
  }

  close(): void {
    this.#closed = true;
    try {
      this.client.disconnect();
    } catch {
      // Thrown where the login never succeeded, after the library's own reconnecting has been stopped: all we need.
      return;
    }
  }

  #listen(event: string, reason: string): void {
    this.connection.addEventListener(event, () => {
      if (this.#closed) return;
      // One loss fires many events: every stream of the connection ends for itself.
      const tell = this.#lost;
      this.#lost = null;
      tell?.(reason);
    });
  }
}

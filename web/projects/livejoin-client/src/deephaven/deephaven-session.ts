import type { dh } from '@deephaven/jsapi-types';
import { withDeadline } from '../deadline';
import type { Environment } from '../environment';
import { reasonOf, ServerError } from '../errors';
import type { Session, TableHandle } from '../table-server';
import type { View } from '../view-description';
import type { DeephavenApi } from './api-loader';
import { DeephavenTable } from './deephaven-table';
import { labelled, STATUS_TABLE } from './generation-label';
import { applyOperations } from './operations';

/** Tables are exports of this application on the server; script variables are not reachable by viewers. */
const APPLICATION = 'livejoin';

/**
 * One logged-in client. After a loss the client is given up rather than left to reconnect by itself, because it never
 * finds its tables again on a server that was restarted.
 */
export class DeephavenSession implements Session {
  #lost: ((reason: string) => void) | null = null;
  #status: Promise<dh.Table> | null = null;
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

  async probe(): Promise<void> {
    // The smallest question there is; it makes nothing on the server.
    await this.client.getServerConfigValues();
  }

  async fetchTable(view: View): Promise<TableHandle> {
    return new DeephavenTable(this.api, await this.#open(view));
  }

  async copyTable(view: View): Promise<TableHandle> {
    const table = await this.#open(view);
    try {
      // All rows and their label in one snapshot of the server: it waits for no update and is of one generation.
      return new DeephavenTable(this.api, await this.#answer(`Copying ${view.table}`, table.freeze()));
    } catch (error) {
      throw error instanceof ServerError ? error : new ServerError(reasonOf(error));
    } finally {
      table.close();
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

  /** The caller closes it. */
  async #open(view: View): Promise<dh.Table> {
    const status = await this.#statusTable();
    const table = await this.#fetch(view.table);
    try {
      applyOperations(this.api, table, view);
      // Sorted before it is labelled, because the server then sorts once for all viewers.
      return await this.#answer(`Opening ${view.table}`, labelled(table, status));
    } catch (error) {
      throw error instanceof ServerError ? error : new ServerError(reasonOf(error));
    } finally {
      table.close();
    }
  }

  /** Fetched once; the server frees it with the session. */
  #statusTable(): Promise<dh.Table> {
    this.#status ??= this.#fetch(STATUS_TABLE).catch((error: unknown) => {
      this.#status = null;
      throw error;
    });
    return this.#status;
  }

  async #fetch(name: string): Promise<dh.Table> {
    const id = btoa(`a/${APPLICATION}/f/${name}`);
    try {
      const fetching = this.connection.getObject({ id, type: 'Table' }) as Promise<dh.Table>;
      return await this.#answer(`Fetching ${name}`, fetching);
    } catch (error) {
      const reason = reasonOf(error);
      throw new ServerError(/not found/i.test(reason) ? `The table server has no ${name} yet.` : reason);
    }
  }

  #answer(step: string, table: Promise<dh.Table>): Promise<dh.Table> {
    return withDeadline(this.environment, step, this.answerWithinMs, table, (late) => {
      late.close();
    });
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

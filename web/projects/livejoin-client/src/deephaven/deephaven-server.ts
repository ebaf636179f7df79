import { withDeadline } from '../deadline';
import type { Environment } from '../environment';
import { DeadlineError, KeyRefusedError, ServerError } from '../errors';
import { serverAddress, type EffectiveSettings } from '../settings';
import type { Session, TableServer } from '../table-server';
import { ApiLoader } from './api-loader';
import { DeephavenSession } from './deephaven-session';

const PRE_SHARED_KEY = 'io.deephaven.authentication.psk.PskAuthenticationHandler';

/** The library has megabytes; a slow line gets the time to fetch it. */
const LOAD_WITHIN_MS = 60_000;

const REFUSALS = /UNAUTHENTICATED|authentication (details invalid|failed)/i;

/** A Deephaven table server, spoken to with the JavaScript API that it serves itself. */
export class DeephavenServer implements TableServer {
  readonly #loader: ApiLoader;

  constructor(
    private readonly environment: Environment,
    private readonly settings: EffectiveSettings,
  ) {
    this.#loader = new ApiLoader(environment);
  }

  prepare(): void {
    try {
      // Whoever opens a session loads again and reports the failure then.
      this.#loader.load(serverAddress(this.settings.url)).catch(() => undefined);
    } catch {
      return;
    }
  }

  async open(key: string): Promise<Session> {
    const address = serverAddress(this.settings.url);
    const { loginWithinMs, answerWithinMs } = this.settings;
    const loading = this.#loader.load(address);
    const api = await withDeadline(this.environment, 'Loading the table API', LOAD_WITHIN_MS, loading);
    // A login that is never answered cannot be taken back, so nobody logs in where not even a file of a hundred bytes
    // is to be had.
    await this.environment.reach(`${address}/jsapi/dh-internal.js`, loginWithinMs).catch(() => {
      throw new ServerError(`The table server at ${address} is not reachable.`);
    });
    const client = new api.CoreClient(address);
    const connection = await withDeadline(
      this.environment,
      'Opening a connection',
      loginWithinMs,
      client.getAsIdeConnection(),
    );
    // Listening comes before logging in: login rejects alike for a wrong key and for a server that is not there, and
    // only this event tells which it was.
    let failure = '';
    connection.addEventListener<unknown>(api.CoreClient.EVENT_REQUEST_FAILED, (event) => {
      failure = String(event.detail);
    });
    const session = new DeephavenSession(api, client, connection, this.environment, answerWithinMs);
    const login = client.login({ type: PRE_SHARED_KEY, token: key });
    const close = (): void => {
      session.close();
    };
    try {
      await withDeadline(this.environment, 'Logging in', loginWithinMs, login);
    } catch (error) {
      // A client that is disconnected while it logs in keeps its socket, and throws when the answer comes after all.
      if (error instanceof DeadlineError) login.then(close, close);
      else close();
      throw REFUSALS.test(failure) ? new KeyRefusedError() : error;
    }
    return session;
  }
}

import { Connection } from './connection/connection';
import type { ConnectionState } from './connection/connection-state';
import type { Declaration } from './declaration';
import { DoorServer } from './door/door-server';
import { browserEnvironment, type Environment } from './environment';
import { ServerError } from './errors';
import { stillEnvironment } from './still-environment';
import { effectiveSettings, type EffectiveSettings, type LivejoinSettings } from './settings';
import type { Subscribable } from './subscribable';
import type { TableServer } from './table-server';
import { copyRows, type CopiedRows } from './export/row-copy';
import { viewOf, type ViewDescription } from './view/view-description';
import type { ViewObserver } from './view/view-observer';
import { ViewRegistry } from './view/view-registry';

/** The surroundings of a hub that tests replace. */
export interface HubParts {
  /** The browser's where it is left out; where there is none, those in which nothing happens. */
  readonly environment?: Environment;
  readonly server?: TableServer;
}

/** The entry point: one hub per page, one connection per hub, one viewport per view. Whoever makes it disposes of it. */
export class LivejoinHub {
  readonly #connection: Connection;
  readonly #views: ViewRegistry;
  readonly #environment: Environment;
  readonly #settings: EffectiveSettings;

  constructor(settings: LivejoinSettings, parts: HubParts = {}) {
    const effective = effectiveSettings(settings);
    const environment =
      parts.environment ?? (typeof window === 'undefined' ? stillEnvironment() : browserEnvironment());
    this.#environment = environment;
    this.#settings = effective;
    const server = parts.server ?? new DoorServer(environment, effective);
    this.#connection = new Connection(server, environment, effective);
    this.#views = new ViewRegistry(this.#connection, environment, effective);
  }

  get connection(): Pick<Subscribable<ConnectionState>, 'value' | 'subscribe'> {
    return this.#connection.state;
  }

  /** What the server joins: null before it has said so, and after `disconnect`. Told again whenever it changes. */
  get declaration(): Pick<Subscribable<Declaration | null>, 'value' | 'subscribe'> {
    return this.#connection.declaration;
  }

  /**
   * How far the server's clock is before that of this machine, in milliseconds, as of the last login. Ages of what the
   * server tells the time of are right by it, whatever the clock of the person says.
   */
  get clockAhead(): Pick<Subscribable<number>, 'value' | 'subscribe'> {
    return this.#connection.clockAhead;
  }

  /** When any table was last heard of; null before the first time. */
  get receivedAt(): number | null {
    return this.#views.receivedAt;
  }

  connect(key: string): void {
    this.#connection.open(key);
  }

  /** Closes the session and forgets the rows. Observers that stay are served again after the next login. */
  disconnect(): void {
    this.#connection.close();
    this.#views.forgetRows();
  }

  /** The end of the hub: closes the connection and every view, and stops every timer. */
  dispose(): void {
    this.#connection.dispose();
    this.#views.close();
  }

  retryNow(): void {
    this.#connection.retryNow();
  }

  /** The caller leaves the observer when it is done. */
  observe(description: ViewDescription): ViewObserver {
    return this.#views.observe(description);
  }

  /**
   * All rows of a view as they are now, in portions and of one generation. The hub closes the copy that the server
   * keeps meanwhile when the iteration ends, also by a `break`.
   */
  copy(description: ViewDescription): AsyncGenerator<CopiedRows, void, void> {
    const session = this.#connection.session;
    if (session === null) throw new ServerError('The table server is not connected.');
    return copyRows(session, viewOf(description), this.#environment, this.#settings);
  }
}

import { mayFollow, type ConnectionState } from './connection-state';
import { sameDeclaration, type Declaration } from '../declaration';
import type { Environment } from '../environment';
import { KeyRefusedError, reasonOf, ServerError, SettingsError, type LivejoinError } from '../errors';
import { withDeadline } from './deadline';
import { Retry } from './retry';
import { checkedKey, type EffectiveSettings } from '../settings';
import { Subscribable } from '../subscribable';
import type { Session, TableServer } from '../table-server';
import { Watchdog } from './watchdog';

/** The page's one connection: at most one attempt in flight, at most one session open, and it owns both. */
export class Connection {
  readonly state = new Subscribable<ConnectionState>({ kind: 'idle' });
  /** What the server joins, as it last said: it stays while the connection is away. Null before, and after a logout. */
  readonly declaration = new Subscribable<Declaration | null>(null);
  /** How far the server's clock is before that of this machine, in milliseconds, as of the last login. */
  readonly clockAhead = new Subscribable(0);
  readonly #retry: Retry;
  readonly #stopListening: () => void;
  #watchdog: Watchdog | null = null;
  #generation = 0;
  #key: string | null = null;
  #session: Session | null = null;
  /** While a login is under way; ends it. */
  #opening: AbortController | null = null;

  constructor(
    private readonly server: TableServer,
    private readonly environment: Environment,
    private readonly settings: Pick<EffectiveSettings, 'loginWithinMs' | 'silenceMs' | 'aliveWithinMs'>,
  ) {
    this.#retry = new Retry(environment);
    this.#stopListening = environment.onNetwork((isOnline) => {
      if (isOnline) this.retryNow();
      this.#watchdog?.ask();
    });
  }

  /** The session while the state is live. */
  get session(): Session | null {
    return this.#session;
  }

  /** Connects and stays connected. Asking again with the same key while that goes on changes nothing. */
  open(key: string): void {
    const { kind } = this.state.value;
    const underWay = kind === 'connecting' || kind === 'live' || kind === 'reconnecting';
    if (underWay && key === this.#key) return;
    this.#abandon();
    this.#key = key;
    try {
      checkedKey(key);
    } catch (error) {
      this.#moveTo({ kind: 'failed', reason: reasonOf(error) });
      return;
    }
    this.#moveTo({ kind: 'connecting' });
    void this.#try(key);
  }

  close(): void {
    this.#abandon();
    this.#key = null;
    if (this.state.value.kind !== 'idle') this.#moveTo({ kind: 'idle' });
    this.#declared(null);
  }

  /** Closes for good: it hears of nothing any more. */
  dispose(): void {
    this.#stopListening();
    this.close();
  }

  /** The server has sent something over the session. */
  heard(): void {
    this.#watchdog?.heard();
  }

  /**
   * For the person who knows that the server is back and does not want to wait for the next try, nor for the answer to
   * one that the server did not hear.
   */
  retryNow(): void {
    if (this.#opening === null || this.#key === null) {
      this.#retry.hurry();
      return;
    }
    this.#dropSession();
    void this.#try(this.#key);
  }

  async #try(key: string): Promise<void> {
    const generation = this.#generation;
    const opening = new AbortController();
    this.#opening = opening;
    let session: Session;
    try {
      session = await this.#login(key, opening.signal);
    } catch (error) {
      opening.abort();
      if (generation !== this.#generation) return;
      this.#opening = null;
      this.#failed(error, key);
      return;
    }
    if (generation !== this.#generation) {
      session.close();
      return;
    }
    this.#opening = null;
    this.#session = session;
    this.#retry.works();
    const lost = (why: LivejoinError): void => {
      if (generation !== this.#generation) return;
      this.#dropSession();
      this.#failed(why, key);
    };
    session.onLost(lost);
    const { silenceMs, aliveWithinMs } = this.settings;
    const probe = (): Promise<void> => session.probe();
    this.#watchdog = new Watchdog(this.environment, silenceMs, aliveWithinMs, probe, () => {
      lost(new ServerError('The table server does not answer.'));
    });
    const declared = (declaration: Declaration | null): void => {
      if (generation === this.#generation && declaration !== null) this.#declared(declaration);
    };
    this.clockAhead.set(session.clockAhead ?? 0);
    declared(session.declaration.value);
    session.declaration.subscribe(declared);
    this.#moveTo({ kind: 'live', since: this.environment.now(), rights: session.rights });
  }

  #login(key: string, givenUp: AbortSignal): Promise<Session> {
    const { loginWithinMs } = this.settings;
    const login = this.server.open(key, givenUp);
    return withDeadline(this.environment, 'Logging in', loginWithinMs, login, (late) => {
      late.close();
    });
  }

  #declared(declaration: Declaration | null): void {
    if (!sameDeclaration(declaration, this.declaration.value)) this.declaration.set(declaration);
  }

  #failed(error: unknown, key: string): void {
    const reason = reasonOf(error);
    if (error instanceof KeyRefusedError) this.#moveTo({ kind: 'refused', reason });
    else if (error instanceof SettingsError) this.#moveTo({ kind: 'failed', reason });
    else this.#tryLater(key, reason);
  }

  #tryLater(key: string, reason: string): void {
    const nextTry = this.#retry.schedule(() => {
      this.#moveTo({
        kind: 'reconnecting',
        attempt: this.#retry.attempt,
        nextTry: this.environment.now(),
        reason,
      });
      void this.#try(key);
    });
    this.#moveTo({ kind: 'reconnecting', attempt: this.#retry.attempt, nextTry, reason });
  }

  #abandon(): void {
    this.#retry.reset();
    this.#dropSession();
  }

  #dropSession(): void {
    this.#generation += 1;
    this.#opening?.abort();
    this.#opening = null;
    this.#watchdog?.stop();
    this.#watchdog = null;
    this.#session?.close();
    this.#session = null;
  }

  #moveTo(next: ConnectionState): void {
    const { kind } = this.state.value;
    if (!mayFollow(kind, next.kind)) throw new Error(`A connection cannot go from ${kind} to ${next.kind}.`);
    if (kind !== next.kind) {
      const why = 'reason' in next ? `: ${next.reason}` : '';
      this.environment.report(`livejoin connection: ${kind} -> ${next.kind}${why}`);
    }
    this.state.set(next);
  }
}

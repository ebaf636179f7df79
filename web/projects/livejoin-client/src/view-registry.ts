import type { Connection } from './connection';
import type { Environment } from './environment';
import { FrameBatch } from './frame-batch';
import { Linger } from './linger';
import { LiveView } from './live-view';
import { checkedTableName, type EffectiveSettings } from './settings';
import type { Session } from './table-server';
import type { ViewObserver } from './view-observer';

/** What makes two views the same one. Sort and filter will join it here. */
export interface ViewDescription {
  readonly table: string;
  /** All columns of the table where it is left out. */
  readonly columns?: readonly string[];
}

interface Entry {
  readonly view: LiveView;
  readonly linger: Linger;
}

/** One view per description, whatever number of observers. Opens, lends and closes views; nobody else closes one. */
export class ViewRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #frames: FrameBatch;
  #session: Session | null = null;

  constructor(
    connection: Connection,
    private readonly environment: Environment,
    private readonly settings: EffectiveSettings,
  ) {
    this.#frames = new FrameBatch(environment);
    connection.state.subscribe((state) => {
      this.#follow(connection.session, 'reason' in state ? state.reason : 'Not connected.');
    });
  }

  get openViews(): number {
    return this.#entries.size;
  }

  /** When any table was last heard of; null before the first time. */
  get receivedAt(): number | null {
    let newest: number | null = null;
    for (const { view } of this.#entries.values()) {
      const at = view.receivedAt;
      if (at !== null && (newest === null || at > newest)) newest = at;
    }
    return newest;
  }

  observe(description: ViewDescription): ViewObserver {
    const key = keyOf(description);
    const entry = this.#entries.get(key) ?? this.#open(key, description);
    entry.linger.stop();
    return entry.view.observe();
  }

  forgetRows(): void {
    for (const { view } of this.#entries.values()) view.forget();
  }

  #open(key: string, { table, columns }: ViewDescription): Entry {
    const linger = new Linger(this.environment, this.settings.lingerMs, () => {
      this.#entries.delete(key);
      view.close();
    });
    const view = new LiveView(
      checkedTableName(table),
      columns ?? null,
      this.environment,
      this.settings,
      this.#frames,
      () => {
        linger.start();
      },
    );
    const entry = { view, linger };
    this.#entries.set(key, entry);
    if (this.#session !== null) view.attach(this.#session);
    return entry;
  }

  #follow(session: Session | null, reason: string): void {
    if (session === this.#session) return;
    this.#session = session;
    for (const { view } of this.#entries.values()) {
      if (session === null) view.detach(reason);
      else view.attach(session);
    }
  }
}

function keyOf({ table, columns }: ViewDescription): string {
  return JSON.stringify([table, columns ?? null]);
}

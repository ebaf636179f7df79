import type { Connection } from '../connection/connection';
import { tablesOf, type Declaration } from '../declaration';
import type { Environment } from '../environment';
import { FrameBatch } from './frame-batch';
import { GenerationGate } from './generation-gate';
import { Linger } from './linger';
import { LiveView } from './live-view';
import type { EffectiveSettings } from '../settings';
import type { Session } from '../table-server';
import { keyOf, viewOf, type View, type ViewDescription } from './view-description';
import type { ViewObserver } from './view-observer';

interface Entry {
  readonly view: LiveView;
  readonly linger: Linger;
}

/** One view per description, whatever number of observers. Opens, lends and closes views; nobody else closes one. */
export class ViewRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #gate: GenerationGate;
  readonly #frames: FrameBatch;
  readonly #unsubscribe: () => void;
  readonly #stopFollowing: () => void;
  #declaration: Declaration | null;
  /** Tables of a former declaration, which may be looked at still. */
  readonly #gone = new Set<string>();
  #held: ReadonlySet<LiveView> = new Set();
  #session: Session | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly environment: Environment,
    private readonly settings: EffectiveSettings,
  ) {
    this.#gate = new GenerationGate(environment);
    this.#frames = new FrameBatch(environment, () => {
      // What never changes again must not keep the others from it.
      this.#held = this.#gate.held([...this.#views()].filter(({ table }) => !this.#gone.has(table)));
    });
    this.#declaration = connection.declaration.value;
    this.#stopFollowing = connection.declaration.subscribe((declaration) => {
      this.#redeclared(declaration);
    });
    this.#unsubscribe = connection.state.subscribe((state) => {
      this.#follow(connection.session, 'reason' in state ? state.reason : 'Not connected.');
    });
  }

  get openViews(): number {
    return this.#entries.size;
  }

  /** When any table was last heard of; null before the first time. */
  get receivedAt(): number | null {
    let newest: number | null = null;
    for (const { receivedAt } of this.#views()) {
      if (receivedAt !== null && (newest === null || receivedAt > newest)) newest = receivedAt;
    }
    return newest;
  }

  observe(description: ViewDescription): ViewObserver {
    const view = viewOf(description);
    const key = keyOf(view);
    const entry = this.#entries.get(key) ?? this.#open(key, view);
    entry.linger.stop();
    return entry.view.observe();
  }

  forgetRows(): void {
    for (const view of this.#views()) view.forget();
  }

  /** Closes every view, also those that are still observed. */
  close(): void {
    this.#unsubscribe();
    this.#stopFollowing();
    for (const { view, linger } of this.#entries.values()) {
      linger.stop();
      view.close();
    }
    this.#entries.clear();
  }

  #open(key: string, described: View): Entry {
    const linger = new Linger(this.environment, this.settings.lingerMs, () => {
      this.#entries.delete(key);
      view.close();
    });
    const view = new LiveView(described, this.environment, this.settings, {
      frames: this.#frames,
      isHeld: (asking) => this.#held.has(asking),
      heard: () => {
        this.connection.heard();
      },
      abandoned: () => {
        if (this.#entries.has(key)) linger.start();
      },
    });
    const entry = { view, linger };
    this.#entries.set(key, entry);
    if (this.#session !== null) view.attach(this.#session);
    return entry;
  }

  #follow(session: Session | null, reason: string): void {
    if (session === this.#session) return;
    this.#session = session;
    for (const view of this.#views()) {
      if (session === null) view.detach(reason);
      else view.attach(session);
    }
  }

  /**
   * The server joins something else: whatever is open is opened anew at once, because a table of the same name may have
   * other columns. The rows stay until the new ones are here.
   */
  #redeclared(declaration: Declaration | null): void {
    const former = this.#declaration;
    this.#declaration = declaration;
    for (const table of former === null ? [] : tablesOf(former)) this.#gone.add(table);
    for (const table of declaration === null ? [] : tablesOf(declaration)) this.#gone.delete(table);
    if (former === null || declaration === null) return;
    for (const view of this.#views()) view.refresh();
  }

  *#views(): Iterable<LiveView> {
    for (const { view } of this.#entries.values()) yield view;
  }
}

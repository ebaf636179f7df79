import type { Environment } from '../environment';
import type { Generation } from '../table-server';

/** What the gate has to know of a view. */
export interface GatedView {
  /** The generation of the rows on the screen; null where there is none. */
  readonly shown: Generation | null;
  /** The generation of the page that waits for the next frame; undefined where no page waits. */
  readonly waiting: Generation | null | undefined;
}

/** Long enough for every table of a busy server to follow; only a view that never does lets it run out. */
const HOLD_AT_MOST_MS = 3_000;

/**
 * Lets a change of generation through in one frame for all views. The server sends it to all of them in one message,
 * but not every view can take it then: one that has just moved waits for its rows, and after a loss of the connection
 * all begin anew. So the first pages of another generation wait here until the last view has its own, while pages of
 * the generation that is on the screen pass.
 */
export class GenerationGate {
  #heldSince: number | null = null;
  #hasGivenUp = false;

  constructor(private readonly environment: Environment) {}

  /** Which of all views keep their waiting page for a later frame. To be asked once per frame. */
  held<V extends GatedView>(views: Iterable<V>): ReadonlySet<V> {
    const all = [...views];
    const next = known(all.map(({ shown, waiting }) => (waiting === undefined ? shown : waiting)));
    if (next.size > 1) return this.#hold(all);
    this.#heldSince = null;
    this.#hasGivenUp = false;
    return new Set<V>();
  }

  #hold<V extends GatedView>(all: readonly V[]): ReadonlySet<V> {
    this.#heldSince ??= this.environment.now();
    // Until all agree again, or a view that never follows would slow the others down for good.
    this.#hasGivenUp ||= this.environment.now() - this.#heldSince >= HOLD_AT_MOST_MS;
    if (this.#hasGivenUp) return new Set<V>();
    const onScreen = known(all.map(({ shown }) => shown));
    const isOther = (waiting: Generation): boolean => onScreen.size !== 1 || !onScreen.has(waiting);
    return new Set(all.filter(({ waiting }) => waiting != null && isOther(waiting)));
  }
}

function known(generations: readonly (Generation | null)[]): ReadonlySet<Generation> {
  return new Set(generations.filter((generation) => generation !== null));
}

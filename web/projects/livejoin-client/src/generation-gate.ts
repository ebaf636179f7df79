import type { Environment } from './environment';
import type { Generation } from './table-server';

/** What the gate has to know of a view. */
export interface GatedView {
  /** The generation of the rows on the screen; null where it is not known or there are none. */
  readonly shown: Generation | null;
  /** The generation of the page that waits for the next frame; undefined where no page waits. */
  readonly waiting: Generation | null | undefined;
}

/** Long enough for every table of a busy server to follow; only a view that never does lets it run out. */
const HOLD_AT_MOST_MS = 3_000;

/** A page without rows says nothing of its generation: it waits this long for the other tables to tell. */
const HOLD_EMPTY_MS = 150;

/**
 * Lets a change of generation through in one frame for all views. The server changes all tables in one moment, but
 * sends each viewport by itself; so the first pages of another generation wait here until the last view has its own,
 * while pages of the generation that is on the screen pass.
 */
export class GenerationGate {
  #heldSince: number | null = null;
  #hasGivenUp = false;

  constructor(private readonly environment: Environment) {}

  /** Which of all views keep their waiting page for a later frame. To be asked once per frame. */
  held<V extends GatedView>(views: Iterable<V>): ReadonlySet<V> {
    const all = [...views];
    const emptied = all.filter(isEmptied);
    const next = known(all.filter((view) => !isEmptied(view)).map(({ shown, waiting }) => waiting ?? shown));
    const areOneGeneration = next.size <= 1;
    const haveOthersMoved = emptied.every(({ shown }) => shown === null || !next.has(shown));
    if (areOneGeneration && haveOthersMoved) {
      this.#heldSince = null;
      this.#hasGivenUp = false;
      return new Set<V>();
    }
    return this.#hold(all, areOneGeneration ? HOLD_EMPTY_MS : HOLD_AT_MOST_MS);
  }

  #hold<V extends GatedView>(all: readonly V[], limitMs: number): ReadonlySet<V> {
    this.#heldSince ??= this.environment.now();
    // Until all agree again, or a view that never follows would slow the others down for good.
    this.#hasGivenUp ||= this.environment.now() - this.#heldSince >= limitMs;
    if (this.#hasGivenUp) return new Set<V>();
    const onScreen = known(all.map(({ shown }) => shown));
    const isOther = (waiting: Generation): boolean => onScreen.size !== 1 || !onScreen.has(waiting);
    return new Set(all.filter((view) => isEmptied(view) || (view.waiting != null && isOther(view.waiting))));
  }
}

/** Its rows are gone, by a change of generation or for good. */
function isEmptied({ shown, waiting }: GatedView): boolean {
  return waiting === null && shown !== null;
}

function known(generations: readonly (Generation | null)[]): ReadonlySet<Generation> {
  return new Set(generations.filter((generation) => generation !== null));
}

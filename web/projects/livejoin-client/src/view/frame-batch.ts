import type { Environment } from '../environment';
import { tell } from '../errors';

/** Collects deliveries and makes them together, once per animation frame, however many updates arrived before it. */
export class FrameBatch {
  readonly #due = new Set<() => void>();
  #requested = false;

  /** `begin` is run at the start of every frame, before the first delivery of it. */
  constructor(
    private readonly environment: Environment,
    private readonly begin: () => void = () => undefined,
  ) {}

  /** Adding the same function twice before a frame runs it once. */
  add(deliver: () => void): void {
    this.#due.add(deliver);
    if (this.#requested) return;
    this.#requested = true;
    this.environment.requestFrame(() => {
      this.#requested = false;
      this.begin();
      const due = [...this.#due];
      this.#due.clear();
      for (const run of due) tell(run);
    });
  }

  remove(deliver: () => void): void {
    // The frame stays requested as long as others wait; an empty frame costs nothing.
    this.#due.delete(deliver);
  }
}

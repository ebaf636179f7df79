import type { Environment, TimerId } from './environment';
import { sameWindow, type RowWindow } from './row-window';

/**
 * Moves a viewport with at most one request in flight. While somebody scrolls, only the latest wish is kept, and it is
 * sent when the answer to the request before it has arrived.
 */
export class ViewportPacer {
  #inFlight: RowWindow | null = null;
  #shown: RowWindow | null = null;
  #wanted: RowWindow | null = null;
  #timer: TimerId | null = null;

  constructor(
    private readonly environment: Environment,
    private readonly answerWithinMs: number,
    private readonly send: (window: RowWindow) => void,
    private readonly stalled: () => void,
  ) {}

  want(window: RowWindow): void {
    this.#wanted = window;
    this.#sendNext();
  }

  /** To be called at every page that arrives; the first one after a request is the answer to it. */
  arrived(): void {
    if (this.#inFlight === null) return;
    this.#shown = this.#inFlight;
    this.#settle();
    this.#sendNext();
  }

  stop(): void {
    this.#settle();
    this.#shown = null;
    this.#wanted = null;
  }

  #sendNext(): void {
    const window = this.#wanted;
    if (window === null || this.#inFlight !== null || sameWindow(window, this.#shown)) return;
    this.#inFlight = window;
    // A server that does not answer sends no updates either.
    this.#timer = this.environment.setTimer(() => {
      this.#settle();
      this.stalled();
    }, this.answerWithinMs);
    this.send(window);
  }

  #settle(): void {
    if (this.#timer !== null) this.environment.clearTimer(this.#timer);
    this.#timer = null;
    this.#inFlight = null;
  }
}

import type { Environment, TimerId } from '../environment';
import { sameWindow, type RowWindow } from './row-window';

/**
 * Moves a viewport with at most one request in flight. While somebody scrolls, only the latest wish counts, and it is
 * sent when the answer to the request before it has arrived.
 */
export class ViewportPacer {
  #inFlight: RowWindow | null = null;
  #shown: RowWindow | null = null;
  #timer: TimerId | null = null;

  constructor(
    private readonly environment: Environment,
    private readonly answerWithinMs: number,
    private readonly send: (window: RowWindow) => void,
    private readonly stalled: () => void,
  ) {}

  /** Does nothing while a request is in flight: whoever wants something says so again when its answer is here. */
  want(window: RowWindow): void {
    if (this.#inFlight !== null || sameWindow(window, this.#shown)) return;
    this.#inFlight = window;
    // A server that does not answer sends no updates either.
    this.#timer = this.environment.setTimer(() => {
      this.#settle();
      this.stalled();
    }, this.answerWithinMs);
    this.send(window);
  }

  /**
   * To be called at every page that arrives, with what is wanted after it; the first one after a request is the answer
   * to it. Whether another page is on its way thereby.
   */
  arrived(wanted: RowWindow): boolean {
    if (this.#inFlight !== null) {
      this.#shown = this.#inFlight;
      this.#settle();
    }
    this.want(wanted);
    return this.#inFlight !== null;
  }

  stop(): void {
    this.#settle();
    this.#shown = null;
  }

  #settle(): void {
    if (this.#timer !== null) this.environment.clearTimer(this.#timer);
    this.#timer = null;
    this.#inFlight = null;
  }
}

import { withDeadline } from './deadline';
import type { Environment, TimerId } from '../environment';

/**
 * Finds out that a connection is dead although nobody said so. Quiet tables and a stopped server look alike, so when
 * nothing was heard for a while it asks, and gives the server a limited time to answer anything.
 */
export class Watchdog {
  #timer: TimerId | null = null;
  #heardAt: number;
  #isAsking = false;
  #isStopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly silenceMs: number,
    private readonly answerWithinMs: number,
    private readonly probe: () => Promise<void>,
    private readonly dead: () => void,
  ) {
    this.#heardAt = environment.now();
    this.#wait();
  }

  /** To be called at every sign of life. */
  heard(): void {
    this.#heardAt = this.environment.now();
  }

  /** Asks at once, for somebody who has a reason to doubt. */
  ask(): void {
    if (this.#isAsking || this.#isStopped) return;
    this.#isAsking = true;
    this.#stopWaiting();
    withDeadline(this.environment, 'Answering', this.answerWithinMs, this.probe()).then(
      () => {
        this.#isAsking = false;
        this.heard();
        this.#wait();
      },
      () => {
        if (!this.#isStopped) this.dead();
      },
    );
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWaiting();
  }

  #wait(): void {
    if (this.#isStopped) return;
    const silentFor = this.environment.now() - this.#heardAt;
    this.#timer = this.environment.setTimer(() => {
      this.#timer = null;
      if (this.environment.now() - this.#heardAt >= this.silenceMs) this.ask();
      else this.#wait();
    }, this.silenceMs - silentFor);
  }

  #stopWaiting(): void {
    if (this.#timer !== null) this.environment.clearTimer(this.#timer);
    this.#timer = null;
  }
}

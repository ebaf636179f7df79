import type { Environment, TimerId } from '../environment';

const BASE_MS = 150;
const FACTOR = 1.5;
const CAP_MS = 10_000;

/** What works for less than this and fails again counts as one more failure, or a crashing server would be stormed. */
const STABLE_AFTER_MS = 5_000;

/** Delay before try number `attempt` (from 1): half of it fixed, half random, so that pages do not come back in step. */
export function retryDelay(attempt: number, random: number): number {
  const full = Math.min(CAP_MS, BASE_MS * FACTOR ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * random);
}

/** The next try of one thing that failed. Counts attempts until it has worked for a while. */
export class Retry {
  #attempt = 0;
  #timer: TimerId | null = null;
  #run: (() => void) | null = null;
  #worksSince: number | null = null;

  constructor(private readonly environment: Environment) {}

  get attempt(): number {
    return this.#attempt;
  }

  /** Plans the next try and returns when it will be. A try that was already planned is replaced. */
  schedule(run: () => void): number {
    this.cancel();
    const now = this.environment.now();
    if (this.#worksSince !== null && now - this.#worksSince >= STABLE_AFTER_MS) this.#attempt = 0;
    this.#worksSince = null;
    this.#attempt += 1;
    const delay = retryDelay(this.#attempt, this.environment.random());
    this.#run = run;
    this.#timer = this.environment.setTimer(() => {
      this.#fire();
    }, delay);
    return now + delay;
  }

  /** Does now what is planned for later. */
  hurry(): void {
    if (this.#timer === null) return;
    this.environment.clearTimer(this.#timer);
    this.#fire();
  }

  /** To be called when it works, once or again and again. */
  works(): void {
    this.#worksSince ??= this.environment.now();
  }

  /** Forgets the past, for a fresh start that a person asked for. */
  reset(): void {
    this.cancel();
    this.#attempt = 0;
    this.#worksSince = null;
  }

  cancel(): void {
    if (this.#timer !== null) this.environment.clearTimer(this.#timer);
    this.#timer = null;
    this.#run = null;
  }

  #fire(): void {
    const run = this.#run;
    this.#timer = null;
    this.#run = null;
    run?.();
  }
}

import type { Environment, TimerId } from '../environment';

/** The last one to leave starts it, a newcomer stops it; when it runs out, `expire` closes the abandoned thing. */
export class Linger {
  #timer: TimerId | null = null;

  constructor(
    private readonly environment: Environment,
    private readonly durationMs: number,
    private readonly expire: () => void,
  ) {}

  start(): void {
    this.stop();
    this.#timer = this.environment.setTimer(() => {
      this.#timer = null;
      this.expire();
    }, this.durationMs);
  }

  stop(): void {
    if (this.#timer !== null) this.environment.clearTimer(this.#timer);
    this.#timer = null;
  }
}

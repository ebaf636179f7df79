import type { Environment } from 'livejoin-client';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** Time stands still until a test moves it, and frames are painted when a test says so. */
export class FakeEnvironment implements Environment {
  readonly reports: string[] = [];
  /** A socket at which nothing is ever heard, unless a test brings others. */
  openSocket: Environment['openSocket'] = () => ({ send: () => undefined, close: () => undefined });
  #now = 1_000_000;
  #nextId = 1;
  readonly #timers = new Map<number, Timer>();
  #frames: (() => void)[] = [];
  readonly #networkListeners = new Set<(isOnline: boolean) => void>();

  get networkListeners(): number {
    return this.#networkListeners.size;
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  get pendingFrames(): number {
    return this.#frames.length;
  }

  now(): number {
    return this.#now;
  }

  /** The upper end, so that delays are the full ones. */
  random(): number {
    return 1;
  }

  setTimer(run: () => void, delayMs: number): number {
    const id = this.#nextId++;
    this.#timers.set(id, { due: this.#now + delayMs, run });
    return id;
  }

  clearTimer(id: number): void {
    this.#timers.delete(id);
  }

  requestFrame(run: () => void): void {
    this.#frames.push(run);
  }

  onNetwork(listener: (isOnline: boolean) => void): () => void {
    this.#networkListeners.add(listener);
    return () => {
      this.#networkListeners.delete(listener);
    };
  }

  /** The machine finds or loses its network. */
  network(isOnline: boolean): void {
    for (const listener of this.#networkListeners) listener(isOnline);
  }

  report(line: string): void {
    this.reports.push(line);
  }

  /** Runs what falls due on the way, and lets promises settle. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = [...this.#timers].sort(([, a], [, b]) => a.due - b.due)[0];
      if (next === undefined || next[1].due > end) break;
      this.#timers.delete(next[0]);
      this.#now = next[1].due;
      next[1].run();
    }
    this.#now = end;
    await settle();
  }

  paint(): void {
    const frames = this.#frames;
    this.#frames = [];
    for (const run of frames) run();
  }
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

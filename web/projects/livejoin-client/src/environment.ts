/** Facts about the surroundings. Injected, so that tests decide what time it is and when a frame is painted. */
export interface Environment {
  now(): number;
  /** At least 0, below 1. */
  random(): number;
  setTimer(run: () => void, delayMs: number): TimerId;
  clearTimer(id: TimerId): void;
  requestFrame(run: () => void): void;
  importModule(url: string): Promise<unknown>;
  /** Resolves when something answers at that address; rejects when nothing does in time, and leaves nothing open. */
  reach(url: string, withinMs: number): Promise<void>;
  /**
   * Tells when the machine has found or lost a network. A hint only: a server on the same machine is there without
   * one. Returns what ends the listening.
   */
  onNetwork(listener: (isOnline: boolean) => void): () => void;
  /** One line for the person who has the developer tools open. */
  report(line: string): void;
}

export type TimerId = number;

export function browserEnvironment(): Environment {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    setTimer: (run, delayMs) => window.setTimeout(run, delayMs),
    clearTimer: (id) => {
      window.clearTimeout(id);
    },
    requestFrame: (run) => {
      window.requestAnimationFrame(run);
    },
    importModule: (url) => import(/* @vite-ignore */ url) as Promise<unknown>,
    reach: async (url, withinMs) => {
      await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(withinMs) });
    },
    onNetwork: (listener) => {
      const tell = (): void => {
        listener(navigator.onLine);
      };
      window.addEventListener('online', tell);
      window.addEventListener('offline', tell);
      return () => {
        window.removeEventListener('online', tell);
        window.removeEventListener('offline', tell);
      };
    },
    report: (line) => {
      console.info(line);
    },
  };
}

/** Facts about the surroundings. Injected, so that tests decide what time it is and when a frame is painted. */
export interface Environment {
  now(): number;
  /** At least 0, below 1. */
  random(): number;
  setTimer(run: () => void, delayMs: number): TimerId;
  clearTimer(id: TimerId): void;
  requestFrame(run: () => void): void;
  importModule(url: string): Promise<unknown>;
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
    report: (line) => {
      console.info(line);
    },
  };
}

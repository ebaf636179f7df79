import type { Environment } from './environment';

/**
 * Surroundings in which nothing ever happens, for a server that renders pages: whoever asks for a live table gets one
 * that is loading, and no socket, timer or frame outlives the answer to the request.
 */
export function stillEnvironment(): Environment {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    setTimer: () => 0,
    clearTimer: () => undefined,
    requestFrame: () => undefined,
    openSocket: () => ({ send: () => undefined, close: () => undefined }),
    onNetwork: () => () => undefined,
    report: () => undefined,
  };
}

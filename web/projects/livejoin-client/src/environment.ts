import { nextFrame } from './next-frame';

/** Facts about the surroundings. Injected, so that tests decide what time it is and when a frame is painted. */
export interface Environment {
  now(): number;
  /** At least 0, below 1. */
  random(): number;
  setTimer(run: () => void, delayMs: number): TimerId;
  clearTimer(id: TimerId): void;
  /** Before the next painting; also while nobody sees the page, though more slowly. */
  requestFrame(run: () => void): void;
  /** Begins to open a WebSocket. Throws where the browser does not even try. Whoever opens it closes it. */
  openSocket(url: string, listener: SocketListener): Socket;
  /**
   * Tells when the machine has found or lost a network. A hint only: a server on the same machine is there without
   * one. Returns what ends the listening.
   */
  onNetwork(listener: (isOnline: boolean) => void): () => void;
  /** One line for the person who has the developer tools open. */
  report(line: string): void;
}

export type TimerId = number;

/** A WebSocket, as far as the hub needs one. */
export interface Socket {
  /** Only after it was opened, and before it is closed. */
  send(text: string): void;
  close(): void;
}

/** What is heard of a socket, never before `openSocket` has returned it. */
export interface SocketListener {
  opened(): void;
  /** A text, unless the other side does not keep to it. */
  heard(message: unknown): void;
  /** Once, at its end, whether it was ever open or not; with the code of a WebSocket's closing frame. */
  closed(code: number): void;
}

export function browserEnvironment(): Environment {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    setTimer: (run, delayMs) => window.setTimeout(run, delayMs),
    clearTimer: (id) => {
      window.clearTimeout(id);
    },
    requestFrame: nextFrame,
    openSocket: (url, listener) => {
      const socket = new WebSocket(url);
      socket.addEventListener('open', () => {
        listener.opened();
      });
      socket.addEventListener('message', ({ data }) => {
        listener.heard(data);
      });
      // An error says nothing, and this always follows it.
      socket.addEventListener('close', ({ code }) => {
        listener.closed(code);
      });
      return {
        send: (text) => {
          socket.send(text);
        },
        close: () => {
          socket.close();
        },
      };
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

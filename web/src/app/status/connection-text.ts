import type { ConnectionState } from 'livejoin-angular';

export interface ConnectionText {
  readonly label: string;
  /** What a number changes in every second; kept apart, so that a screen reader hears the label only. */
  readonly detail: string;
}

export function connectionText(state: ConnectionState, now: number): ConnectionText {
  switch (state.kind) {
    case 'idle':
      return { label: 'Logged out', detail: '' };
    case 'connecting':
      return { label: 'Connecting', detail: '' };
    case 'live':
      return { label: 'Live', detail: '' };
    case 'reconnecting': {
      const seconds = Math.ceil((state.nextTry - now) / 1_000);
      const when = seconds > 0 ? `next in ${String(seconds)} s` : 'trying';
      return { label: 'Reconnecting', detail: `try ${String(state.attempt)}, ${when}` };
    }
    case 'refused':
      return { label: 'Key refused', detail: '' };
    case 'failed':
      return { label: 'Not connected', detail: '' };
  }
}

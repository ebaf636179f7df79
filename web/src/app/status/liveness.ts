import type { ConnectionState } from 'livejoin-angular';

/** What the badge says in one word; `live` only where the rows are there and follow their topics. */
export type LivenessKind =
  Exclude<ConnectionState['kind'], 'live'> | 'loading' | 'stale' | 'waiting' | 'stalled' | 'behind' | 'live';

export interface Liveness {
  readonly kind: LivenessKind;
  readonly label: string;
  /** What a number changes in every second; kept apart, so that a screen reader hears the label only. */
  readonly detail: string;
}

export interface Scene {
  readonly connection: ConnectionState;
  /** Whether all tables on the screen have their rows. */
  readonly areHere: boolean;
  /** Whether one of them has failed or is refused, and shows what was. */
  readonly areOld: boolean;
  /** Whether there is a generation at all. */
  readonly isShown: boolean;
  /** Whether the rows may stand still: the pipeline is silent, or its queries are being started again. */
  readonly isStalled: boolean;
  /** Whether events have waited for long. */
  readonly isBehind: boolean;
}

export function livenessOf(scene: Scene, now: number): Liveness {
  const { connection } = scene;
  switch (connection.kind) {
    case 'idle':
      return { kind: 'idle', label: 'Logged out', detail: '' };
    case 'connecting':
      return { kind: 'connecting', label: 'Connecting', detail: '' };
    case 'live':
      return { ...ofRows(scene), detail: '' };
    case 'reconnecting': {
      const seconds = Math.ceil((connection.nextTry - now) / 1_000);
      const when = seconds > 0 ? `next in ${String(seconds)} s` : 'trying';
      return {
        kind: 'reconnecting',
        label: 'Reconnecting',
        detail: `try ${String(connection.attempt)}, ${when}`,
      };
    }
    case 'refused':
      return { kind: 'refused', label: 'Key refused', detail: '' };
    case 'failed':
      return { kind: 'failed', label: 'Not connected', detail: '' };
  }
}

function ofRows({ areHere, areOld, isShown, isStalled, isBehind }: Scene): Omit<Liveness, 'detail'> {
  if (!areHere) return { kind: 'loading', label: 'Loading' };
  if (!isShown) return { kind: 'waiting', label: 'Waiting' };
  if (isStalled) return { kind: 'stalled', label: 'Stalled' };
  if (areOld) return { kind: 'stale', label: 'Partly stale' };
  return isBehind ? { kind: 'behind', label: 'Behind' } : { kind: 'live', label: 'Live' };
}

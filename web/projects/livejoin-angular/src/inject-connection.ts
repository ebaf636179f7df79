import { DestroyRef, inject, NgZone, signal, type Signal } from '@angular/core';
import type { ConnectionState } from 'livejoin-client';
import { LIVEJOIN_HUB } from './provide-livejoin';

export interface ConnectionRef {
  readonly state: Signal<ConnectionState>;
  /** How far the server's clock is before that of this machine, in milliseconds, as of the last login. */
  readonly clockAhead: Signal<number>;
  connect(key: string): void;
  /** Logs out: closes the session and forgets the rows. */
  disconnect(): void;
  retryNow(): void;
  /** When any table was last heard of, in milliseconds since 1970; null before the first time. */
  receivedAt(): number | null;
}

/** The page's one connection. Call it in an injection context. */
export function injectConnection(): ConnectionRef {
  const hub = inject(LIVEJOIN_HUB);
  const zone = inject(NgZone);
  const state = signal(hub.connection.value);
  const clockAhead = signal(hub.clockAhead.value);
  const destroyed = inject(DestroyRef);
  destroyed.onDestroy(
    hub.connection.subscribe((next) => {
      state.set(next);
    }),
  );
  destroyed.onDestroy(
    hub.clockAhead.subscribe((next) => {
      clockAhead.set(next);
    }),
  );
  return {
    state: state.asReadonly(),
    clockAhead: clockAhead.asReadonly(),
    connect: (key) => {
      zone.runOutsideAngular(() => {
        hub.connect(key);
      });
    },
    disconnect: () => {
      hub.disconnect();
    },
    retryNow: () => {
      zone.runOutsideAngular(() => {
        hub.retryNow();
      });
    },
    receivedAt: () => hub.receivedAt,
  };
}

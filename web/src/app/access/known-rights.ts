import { effect, Injectable, linkedSignal } from '@angular/core';
import { injectConnection, type ConnectionState, type Rights } from 'livejoin-angular';

/** What the key of this page opens. While the page connects again, what it did before; null while nobody knows. */
@Injectable({ providedIn: 'root' })
export class KnownRights {
  readonly #rights = linkedSignal<ConnectionState, Rights | null>({
    source: injectConnection().state,
    computation: (state, before) => {
      if (state.kind === 'live') return state.rights;
      return state.kind === 'reconnecting' ? (before?.value ?? null) : null;
    },
  });
  readonly value = this.#rights.asReadonly();

  constructor() {
    // It remembers only what somebody has read.
    effect(() => {
      this.value();
    });
  }
}

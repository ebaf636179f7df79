import { computed, effect, inject, Injectable, signal } from '@angular/core';
import { injectConnection } from 'livejoin-angular';
import { ControlKey } from '../control/control-key';
import { endSession } from './end-session';
import { keyStore, takeKeyFromAddress } from './key-store';

/** Who may look: takes the key, hands it to the connection, and decides between login and tables. */
@Injectable({ providedIn: 'root' })
export class Access {
  readonly #connection = injectConnection();
  readonly #controlKey = inject(ControlKey);
  readonly #entered = signal(false);
  readonly state = this.#connection.state;

  /** Tables are shown from the first success on, also while the server is away; a refusal leads back to the login. */
  readonly entered = computed(
    () => this.#entered() && !['idle', 'refused', 'failed'].includes(this.state().kind),
  );

  constructor() {
    this.#enterWith(takeKeyFromAddress(location, history) ?? keyStore.read());
    // A link with a key that is opened in a tab where the page is open already changes nothing but the fragment.
    addEventListener('hashchange', () => {
      this.#enterWith(takeKeyFromAddress(location, history));
    });
    effect(() => {
      const { kind } = this.state();
      if (kind === 'refused') keyStore.forget();
      // A typed key waits in the form until the server has said something about it.
      if (kind === 'refused' || kind === 'idle') this.#entered.set(false);
      if (kind === 'live' || kind === 'reconnecting') this.#entered.set(true);
    });
  }

  login(key: string): void {
    keyStore.write(key);
    this.#connection.connect(key);
  }

  logout(): void {
    endSession(keyStore.read());
    keyStore.forget();
    this.#controlKey.forget();
    this.#connection.disconnect();
  }

  retryNow(): void {
    this.#connection.retryNow();
  }

  #enterWith(key: string | null): void {
    if (key === null) return;
    this.#entered.set(true);
    this.login(key);
  }
}

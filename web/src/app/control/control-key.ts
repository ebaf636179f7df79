import { computed, inject, Injectable, signal } from '@angular/core';
import { keyStore } from '../access/key-store';
import { KnownRights } from '../access/known-rights';

const ITEM = 'livejoin.control-key';

/** The key that control messages are sent with: the one of the login, or an operator's beside it where that may look. */
@Injectable({ providedIn: 'root' })
export class ControlKey {
  readonly #rights = inject(KnownRights);
  readonly #own = signal(sessionStorage.getItem(ITEM) ?? '');
  readonly isOwn = computed(() => this.#rights.value()?.role === 'viewer');

  /** Empty where it has to be asked for. */
  value(): string {
    return this.isOwn() ? this.#own() : (keyStore.read() ?? '');
  }

  /** For this tab only, as the key of the login. */
  remember(key: string): void {
    this.#own.set(key);
    sessionStorage.setItem(ITEM, key);
  }

  forget(): void {
    this.#own.set('');
    sessionStorage.removeItem(ITEM);
  }
}

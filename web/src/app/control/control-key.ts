import { computed, inject, Injectable, signal } from '@angular/core';
import { keyStore } from '../access/key-store';
import { KnownRights } from '../access/known-rights';
import { tabStore } from '../browser-store';

const ITEM = 'livejoin.control-key';

/** The key that control messages are sent with: the one of the login, or an operator's beside it where that may look. */
@Injectable({ providedIn: 'root' })
export class ControlKey {
  readonly #rights = inject(KnownRights);
  readonly #own = signal(tabStore.read(ITEM) ?? '');
  readonly isOwn = computed(() => this.#rights.value()?.role === 'viewer');

  /** Empty where it has to be asked for. */
  value(): string {
    return this.isOwn() ? this.#own() : (keyStore.read() ?? '');
  }

  /** For this tab only, as the key of the login. */
  remember(key: string): void {
    this.#own.set(key);
    tabStore.write(ITEM, key);
  }

  forget(): void {
    this.#own.set('');
    tabStore.forget(ITEM);
  }
}

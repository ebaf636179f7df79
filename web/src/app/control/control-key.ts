import { inject, Injectable, signal } from '@angular/core';
import { keyStore } from '../access/key-store';
import { PAGE_CONFIG } from '../page-config';

const ITEM = 'livejoin.control-key';

/** The key that control messages are sent with: one of their own where the server has one, else the viewer's. */
@Injectable({ providedIn: 'root' })
export class ControlKey {
  readonly isOwn = inject(PAGE_CONFIG).controlNeedsOwnKey;
  readonly #own = signal(sessionStorage.getItem(ITEM) ?? '');

  /** Empty where it has to be asked for. */
  value(): string {
    return this.isOwn ? this.#own() : (keyStore.read() ?? '');
  }

  /** For this tab only, as the viewer's key. */
  remember(key: string): void {
    this.#own.set(key);
    sessionStorage.setItem(ITEM, key);
  }

  forget(): void {
    this.#own.set('');
    sessionStorage.removeItem(ITEM);
  }
}

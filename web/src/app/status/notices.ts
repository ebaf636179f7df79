import { Injectable, signal } from '@angular/core';

/** What somebody has just done, for the page's one live region. */
@Injectable({ providedIn: 'root' })
export class Notices {
  readonly #latest = signal('');
  readonly latest = this.#latest.asReadonly();

  say(text: string): void {
    this.#latest.set(text);
  }
}

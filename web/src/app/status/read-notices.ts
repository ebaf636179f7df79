import { Injectable, signal } from '@angular/core';

/** What somebody has read or put away at this page, and need not be told again. */
@Injectable({ providedIn: 'root' })
export class ReadNotices {
  readonly #read = signal<ReadonlySet<string>>(new Set());

  has(key: string): boolean {
    return this.#read().has(key);
  }

  add(key: string): void {
    if (!this.#read().has(key)) this.#read.update((read) => new Set([...read, key]));
  }
}

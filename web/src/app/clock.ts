import { computed, DestroyRef, inject, Injectable, signal } from '@angular/core';
import { injectConnection } from 'livejoin-angular';

const TICK_MS = 500;

/** The time of day for ages and countdowns, so that they all step together. */
@Injectable({ providedIn: 'root' })
export class Clock {
  readonly #now = signal(Date.now());
  /** Of this machine: for what has happened at this page. */
  readonly now = this.#now.asReadonly();
  readonly #ahead = injectConnection().clockAhead;
  /** Of the server: for what it tells the time of, because the clock of a person may be minutes fast or slow. */
  readonly serverNow = computed(() => this.#now() + this.#ahead());

  constructor() {
    const timer = setInterval(() => {
      this.#now.set(Date.now());
    }, TICK_MS);
    inject(DestroyRef).onDestroy(() => {
      clearInterval(timer);
    });
  }
}

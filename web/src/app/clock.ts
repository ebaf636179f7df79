import { DestroyRef, inject, Injectable, signal } from '@angular/core';

const TICK_MS = 500;

/** The time of day for ages and countdowns, so that they all step together. */
@Injectable({ providedIn: 'root' })
export class Clock {
  readonly #now = signal(Date.now());
  readonly now = this.#now.asReadonly();

  constructor() {
    const timer = setInterval(() => {
      this.#now.set(Date.now());
    }, TICK_MS);
    inject(DestroyRef).onDestroy(() => {
      clearInterval(timer);
    });
  }
}

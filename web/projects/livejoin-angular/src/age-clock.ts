import { DestroyRef, inject, Injectable, NgZone, PLATFORM_ID, signal } from '@angular/core';

const TICK_MS = 1_000;

/** The time of day for the ages of tables, so that they all step together. It ends with the application. */
@Injectable({ providedIn: 'root' })
export class AgeClock {
  readonly #now = signal(Date.now());
  readonly now = this.#now.asReadonly();

  constructor() {
    // A page that is rendered on a server shows one moment.
    if (inject(PLATFORM_ID) === 'server') return;
    // Outside, or an application with zone.js would never be stable.
    const timer = inject(NgZone).runOutsideAngular(() =>
      setInterval(() => {
        this.#now.set(Date.now());
      }, TICK_MS),
    );
    inject(DestroyRef).onDestroy(() => {
      clearInterval(timer);
    });
  }
}

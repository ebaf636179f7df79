import { computed, Injectable, signal } from '@angular/core';
import type { Stages } from '../declaration/succession';

/** How far the tables on the screen are; the page tells it. */
@Injectable({ providedIn: 'root' })
export class ShownTables {
  readonly #stages = signal<Stages>(new Map());
  /** Whether every table has its rows, if only none. */
  readonly areHere = computed(() => {
    const stages = [...this.#stages().values()];
    return stages.length > 0 && !stages.includes('loading');
  });

  tell(stages: Stages): void {
    this.#stages.set(stages);
  }
}

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

  readonly #old = signal<ReadonlySet<string>>(new Set());
  /** Whether one of them has stayed behind: it has failed, or the server does not show it so. */
  readonly areOld = computed(() => this.#old().size > 0);

  tell(stages: Stages): void {
    this.#stages.set(stages);
  }

  /** Which of them have been old for longer than it takes to sort them anew. */
  tellOld(tables: readonly string[]): void {
    this.#old.set(new Set(tables));
  }
}

import { computed, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { numberIn, recordsOf, textIn } from '../records';
import { Throughput, type Reach } from './throughput';

/** What the table `source_progress` says, looked at with every tick of the clock. */
@Injectable({ providedIn: 'root' })
export class SourceWatch {
  readonly #table = injectLiveTable('source_progress', { window: { first: 0, last: 255 } });
  readonly #throughput = signal(Throughput.NONE);
  readonly throughput = this.#throughput.asReadonly();

  readonly #reach = computed<Reach | null>(() => {
    const snapshot = this.#table.snapshot();
    if (snapshot.state.kind !== 'live' || snapshot.rows.length === 0) return null;
    const rows = recordsOf(snapshot);
    const sum = (column: string): number => rows.reduce((all, row) => all + (numberIn(row, column) ?? 0), 0);
    const names = rows.map((row) => `${textIn(row, 'topic')}/${textIn(row, 'partition')}`);
    const of = `${String(snapshot.generation)} ${names.sort().join(' ')}`;
    return { of, position: sum('position'), end: sum('end') };
  });

  constructor() {
    const clock = inject(Clock);
    effect(() => {
      const now = clock.now();
      const reach = untracked(this.#reach);
      if (reach !== null) this.#throughput.update((before) => before.with(reach, now));
    });
  }
}

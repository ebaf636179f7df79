import { computed, inject, Injectable } from '@angular/core';
import { cellOf, injectLiveTable } from 'livejoin-angular';
import { Declared } from '../declaration/declared';
import { recordsOf } from '../records';
import { generationOf } from './generation';
import { swapState } from './swap-state';

/** What the table `generations` says of what the tables show, for the strip, the tables and the live region. */
@Injectable({ providedIn: 'root' })
export class SwapWatch {
  readonly #declared = inject(Declared);
  readonly #table = injectLiveTable('generations', { window: { first: 0, last: 63 } });
  readonly #status = injectLiveTable('orchestrator_status', { window: { first: 0, last: 0 } });
  readonly #shown = computed(() => {
    const generation = cellOf(this.#status.snapshot(), 0, 'generation');
    return typeof generation === 'number' ? generation : null;
  });
  readonly generations = computed(() =>
    recordsOf(this.#table.snapshot()).map((row) => generationOf(row, this.#declared.topicsIn(row))),
  );
  readonly state = computed(() => swapState(this.generations(), this.#shown()));
  readonly isSwapping = computed(() => this.state()?.kind === 'building');
}

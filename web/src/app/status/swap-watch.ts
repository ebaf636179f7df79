import { computed, Injectable } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { recordsOf } from '../records';
import { generationOf } from './generation';
import { swapState } from './swap-state';

/** What the table `generations` says, for the strip, the tables and the live region. */
@Injectable({ providedIn: 'root' })
export class SwapWatch {
  readonly #table = injectLiveTable('generations', { window: { first: 0, last: 63 } });
  readonly generations = computed(() => recordsOf(this.#table.snapshot()).map(generationOf));
  readonly state = computed(() => swapState(this.generations()));
  readonly isSwapping = computed(() => this.state()?.kind === 'building');
}

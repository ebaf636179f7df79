import { computed, inject, Injectable } from '@angular/core';
import { injectLiveTable, LivejoinFormats } from 'livejoin-angular';
import { Declared } from '../declaration/declared';
import { withNamedTimes } from '../named-times';
import { recordsOf } from '../records';
import { generationOf } from './generation';
import { StatusWatch } from './status-watch';
import { swapState } from './swap-state';

/** What the table `generations` says of what the tables show, for the strip, the tables and the live region. */
@Injectable({ providedIn: 'root' })
export class SwapWatch {
  readonly #declared = inject(Declared);
  readonly #table = injectLiveTable('generations', { window: { first: 0, last: 63 } });
  readonly #status = inject(StatusWatch).status;
  readonly #formats = inject(LivejoinFormats);
  readonly generations = computed(() =>
    recordsOf(this.#table.snapshot()).map((row) => generationOf(row, this.#declared.topicsIn(row))),
  );
  readonly state = computed(() =>
    swapState(this.generations(), this.#status()?.generation ?? null, (count) => this.#formats.count(count)),
  );
  /** Why the rows on the screen may stand still; empty where they do not. */
  readonly trouble = computed(() => {
    const shown = this.#status()?.generation;
    const trouble = this.generations().find(({ number }) => number === shown)?.trouble ?? '';
    return withNamedTimes(trouble, this.#formats);
  });
  readonly isSwapping = computed(() => this.state()?.kind === 'building');
}

import { inject, Injectable, linkedSignal, signal } from '@angular/core';
import type { Declaration } from 'livejoin-angular';
import { Declared } from '../declaration/declared';
import type { SwapChoice } from './swap-plan';

/** What somebody has begun to ask for. It outlives the form, which is gone when the panel is closed. */
@Injectable({ providedIn: 'root' })
export class SwapDraft {
  readonly #declaration = inject(Declared).told;
  /** What the person has chosen; the rest is as it is live, also when that changes. Of other sources it means nothing. */
  readonly chosen = linkedSignal<Declaration | null, Partial<SwapChoice>>({
    source: this.#declaration,
    computation: () => ({}),
  });
  /** The message that was sent last, while its verdict is of interest. */
  readonly sentId = signal<string | null>(null);
}

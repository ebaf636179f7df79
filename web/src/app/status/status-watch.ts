import { computed, inject, Injectable } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { Declared, type Topics } from '../declaration/declared';
import { exactTextIn, numberIn, recordsOf, textIn } from '../records';

/** The row of the table `orchestrator_status`, as a person may see it. */
export interface Status extends Topics {
  readonly joinType: string;
  readonly generation: number;
  readonly state: string;
  readonly message: string;
  /** When it was first shown, in milliseconds since 1970. */
  readonly since: number | null;
}

/** What the server says of what is live. */
@Injectable({ providedIn: 'root' })
export class StatusWatch {
  readonly #declared = inject(Declared);
  readonly #table = injectLiveTable('orchestrator_status', { window: { first: 0, last: 0 } });
  readonly isLoading = computed(() => this.#table.state().kind === 'loading');
  readonly isStale = computed(() => this.#table.state().kind === 'stale');
  /** Null before anything was heard. */
  readonly status = computed<Status | null>(() => {
    const [row] = recordsOf(this.#table.snapshot());
    if (row === undefined) return null;
    const since = Date.parse(exactTextIn(row, 'lastApplied'));
    return {
      ...this.#declared.topicsIn(row),
      joinType: textIn(row, 'joinType'),
      generation: numberIn(row, 'generation') ?? 0,
      state: textIn(row, 'state'),
      message: textIn(row, 'message'),
      since: Number.isNaN(since) ? null : since,
    };
  });
  /** Whether there is a generation at all: before the first one, the row only says what is waited for. */
  readonly isShown = computed(() => (this.status()?.generation ?? 0) > 0);
}

import { computed, inject, Injectable } from '@angular/core';
import { Access } from '../access/access';
import { Clock } from '../clock';
import { livenessOf } from './liveness';
import { ShownTables } from './shown-tables';
import { SourceWatch } from './source-watch';
import { StatusWatch } from './status-watch';
import { SwapWatch } from './swap-watch';

/** Whether what is on the screen is live, for the badge and the live region. */
@Injectable({ providedIn: 'root' })
export class LivenessWatch {
  readonly #access = inject(Access);
  readonly #tables = inject(ShownTables);
  readonly #status = inject(StatusWatch);
  readonly #sources = inject(SourceWatch);
  readonly #swap = inject(SwapWatch);
  readonly #clock = inject(Clock);

  readonly value = computed(() => {
    return livenessOf(
      {
        connection: this.#access.state(),
        areHere: this.#tables.areHere(),
        areOld: this.#tables.areOld(),
        isShown: this.#status.isShown(),
        isStalled: this.#swap.trouble() !== '' || this.#status.status()?.state === 'recovering',
        isBehind: this.#sources.isBehind(),
      },
      this.#clock.now(),
    );
  });
}

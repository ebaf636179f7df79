import { computed, inject, Injectable } from '@angular/core';
import { injectConnection } from 'livejoin-angular';
import { Clock } from '../clock';
import { ControlLog } from '../control/control-log';
import { noticeOf } from './notice';
import { ReadNotices } from './read-notices';
import { StatusWatch } from './status-watch';
import { SwapWatch } from './swap-watch';

/** What is worth telling at this moment, for the head of the page and the live region. */
@Injectable({ providedIn: 'root' })
export class NoticeWatch {
  readonly #connection = injectConnection();
  readonly #status = inject(StatusWatch);
  readonly #swap = inject(SwapWatch);
  readonly #log = inject(ControlLog);
  readonly #read = inject(ReadNotices);
  readonly #clock = inject(Clock);

  readonly value = computed(() => {
    const connection = this.#connection.state();
    const status = this.#status.status();
    const isWaiting = status !== null && !this.#status.isShown();
    return noticeOf(
      {
        lost: connection.kind === 'reconnecting' ? connection.reason : null,
        isStale: this.#status.isStale(),
        hasRows: this.#status.isShown(),
        trouble: this.#swap.trouble(),
        waitingFor: isWaiting ? status.message : null,
        swap: this.#swap.state(),
        newestMessage: this.#log.entries()[0] ?? null,
        isRead: (key) => this.#read.has(key),
      },
      this.#clock.serverNow(),
    );
  });

  /** Puts away what stays until somebody has read it. */
  dismiss(): void {
    const readAs = this.value()?.readAs ?? null;
    if (readAs !== null) this.#read.add(readAs);
  }
}

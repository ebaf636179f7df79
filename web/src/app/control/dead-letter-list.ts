import { ChangeDetectionStrategy, Component, computed, inject, signal } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { copyText } from '../copy-text';
import { exactTextIn, recordsOf, textIn, timeIn } from '../records';
import { Notices } from '../status/notices';
import { byReason } from './letters-by-reason';
import { agoText, exactMoment } from './moment-text';

/** How many are looked at for their reasons, and how many of them are on the page. */
const NEWEST = 1_000;
const LISTED = 100;

const COUNT = new Intl.NumberFormat('en');

interface Letter {
  readonly place: string;
  readonly reason: string;
  readonly text: string;
  readonly exact: string;
  readonly ago: string;
  /** All of it, for another program. */
  readonly copied: string;
}

/** Events that could not be used, the newest first, with the reason and what they were. */
@Component({
  selector: 'lj-dead-letter-list',
  templateUrl: './dead-letter-list.html',
  styleUrl: './log-list.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class DeadLetterList {
  readonly #clock = inject(Clock);
  readonly #notices = inject(Notices);
  /** By time, and of those with the same time of a partition the one that came last. */
  protected readonly table = injectLiveTable('dead_letters', {
    sort: [
      { column: 'when', direction: 'descending' },
      { column: 'topic', direction: 'ascending' },
      { column: 'partition', direction: 'ascending' },
      { column: 'offset', direction: 'descending' },
    ],
    window: { first: 0, last: NEWEST - 1 },
  });
  protected readonly chosen = signal<string | null>(null);
  protected readonly copied = signal<string | null>(null);
  readonly #rows = computed(() => recordsOf(this.table.snapshot()));
  protected readonly reasons = computed(() =>
    byReason(this.#rows().map((row) => ({ reason: textIn(row, 'reason') }))).map(({ reason, count }) => ({
      reason,
      count: COUNT.format(count),
    })),
  );
  /** The chosen reason, while there is a letter with it. */
  protected readonly reason = computed(() => {
    const chosen = this.chosen();
    return this.reasons().some(({ reason }) => reason === chosen) ? chosen : null;
  });
  readonly #found = computed(() => {
    const reason = this.reason();
    return reason === null ? this.#rows() : this.#rows().filter((row) => textIn(row, 'reason') === reason);
  });
  protected readonly count = computed(() => {
    const size = this.table.size();
    const listed = Math.min(LISTED, this.#found().length);
    const all = `${COUNT.format(size)} dead letter${size === 1 ? '' : 's'}`;
    const base = size > NEWEST ? `, reasons of the newest ${COUNT.format(NEWEST)}` : '';
    return listed < size ? `${all}${base}; ${COUNT.format(listed)} are listed` : all;
  });
  protected readonly letters = computed<readonly Letter[]>(() => {
    const now = this.#clock.now();
    return this.#found()
      .slice(0, LISTED)
      .map((row) => {
        const when = timeIn(row, 'when');
        const names = ['topic', 'partition', 'offset', 'reason', 'text'] as const;
        const [topic, partition, offset, reason, text] = names.map((name) => exactTextIn(row, name));
        return {
          place: `${textIn(row, 'topic')}, partition ${partition ?? ''}, offset ${offset ?? ''}`,
          reason: textIn(row, 'reason'),
          text: textIn(row, 'text'),
          exact: exactMoment(when),
          ago: agoText(when, now),
          copied: JSON.stringify({
            when: exactMoment(when),
            topic,
            partition: Number(partition),
            offset: Number(offset),
            reason,
            text,
          }),
        };
      });
  });

  protected choose(reason: string): void {
    this.chosen.update((chosen) => (chosen === reason ? null : reason));
  }

  protected async copy(letter: Letter): Promise<void> {
    const isCopied = await copyText(letter.copied);
    this.copied.set(isCopied ? letter.place : null);
    this.#notices.say(isCopied ? 'Dead letter copied' : 'The browser does not allow copying');
  }
}

import { ChangeDetectionStrategy, Component, computed, inject, input, signal } from '@angular/core';
import { LivejoinFormats } from 'livejoin-angular';
import { Clock } from '../clock';
import { Declared } from '../declaration/declared';
import { spoken } from '../declaration/words';
import { sentence } from '../sentence';
import { appliedBefore, askedIn, keyOf } from './control-entry';
import { ControlLog } from './control-log';
import { agoText, exactMoment } from './moment-text';
import { VerdictChip } from './verdict-chip';

/** What was asked for, by whomever, and what became of it. */
@Component({
  selector: 'lj-control-log-list',
  imports: [VerdictChip],
  template: `
    <ol class="log" data-testid="control-log">
      @for (entry of entries(); track entry.key) {
        <li>
          <p class="asked">{{ entry.asked }}</p>
          <div class="line">
            <lj-verdict-chip [verdict]="entry.verdict" />
            <span class="when">
              <time [attr.datetime]="entry.exact.iso" [title]="entry.exact.named">{{ entry.ago }}</time>
              @if (entry.by) {
                by {{ entry.by }}
              }
            </span>
            <button
              type="button"
              class="quiet small"
              [attr.aria-expanded]="opened() === entry.key"
              (click)="opened.set(opened() === entry.key ? null : entry.key)"
            >
              Message
            </button>
          </div>
          @if (opened() === entry.key) {
            <div class="message">
              <time [attr.datetime]="entry.exact.iso">{{ entry.exact.named }}</time>
              <code>{{ entry.raw || '(empty)' }}</code>
            </div>
          }
          @if (entry.reason && (entry.id === null || entry.id !== toldElsewhere())) {
            <p>{{ entry.told }}</p>
          }
        </li>
      } @empty {
        <li class="none">{{ error() ?? 'No control message has been sent yet.' }}</li>
      }
    </ol>
  `,
  styleUrl: './log-list.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ControlLogList {
  readonly #log = inject(ControlLog);
  readonly #clock = inject(Clock);
  readonly #formats = inject(LivejoinFormats);
  readonly #declaration = inject(Declared).told;
  /** The message whose reason is on the screen already. */
  readonly toldElsewhere = input<string | null>(null);
  protected readonly error = this.#log.error;
  /** The message that is shown as it was sent. */
  protected readonly opened = signal<string | null>(null);
  readonly #asked = computed(() => {
    const { left, right } = this.#declaration() ?? { left: { name: '' }, right: { name: '' } };
    const names = { left: spoken(left.name), right: spoken(right.name) };
    const entries = this.#log.entries();
    return entries.map((entry, index) => askedIn(entry, names, appliedBefore(entries, index)));
  });
  protected readonly entries = computed(() => {
    const asked = this.#asked();
    const now = this.#clock.serverNow();
    const entries = this.#log.entries();
    return entries.map((entry, index) => ({
      ...entry,
      // Counted from the oldest, so that those that were there keep theirs when another one comes.
      key: `${String(entries.length - index)} ${keyOf(entry)}`,
      asked: asked[index] ?? '',
      told: sentence(entry.reason),
      ago: agoText(entry.when, now),
      exact: exactMoment(entry.when, this.#formats),
    }));
  });
}

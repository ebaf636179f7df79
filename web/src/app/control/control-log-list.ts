import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
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
              <time [attr.datetime]="entry.exact" [title]="entry.exact">{{ entry.ago }}</time>
              @if (entry.by) {
                by {{ entry.by }}
              }
            </span>
            <details>
              <summary>Message</summary>
              <code>{{ entry.raw || '(empty)' }}</code>
            </details>
          </div>
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
  readonly #declaration = inject(Declared).told;
  /** The message whose reason is on the screen already. */
  readonly toldElsewhere = input<string | null>(null);
  protected readonly error = this.#log.error;
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
      exact: exactMoment(entry.when),
    }));
  });
}

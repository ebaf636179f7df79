import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { recordsOf, textIn, timeIn } from '../records';
import { NEWEST } from './control-log';
import { momentText } from './moment-text';

/** Events that could not be used, with the reason and what they were. */
@Component({
  selector: 'lj-dead-letter-list',
  template: `
    @if (more(); as note) {
      <p class="note">{{ note }}</p>
    }
    <ol class="log" data-testid="dead-letters">
      @for (letter of letters(); track letter.place) {
        <li>
          <div class="line">
            <span class="place">{{ letter.place }}</span
            ><time>{{ letter.time }}</time>
          </div>
          <p>{{ letter.reason }}</p>
          <code>{{ letter.text || '(empty)' }}</code>
        </li>
      } @empty {
        <li class="none">{{ table.error() ?? 'None: every event could be used.' }}</li>
      }
    </ol>
  `,
  styleUrl: './log-list.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class DeadLetterList {
  readonly #clock = inject(Clock);
  protected readonly table = injectLiveTable('dead_letters', {
    sort: [{ column: 'when', direction: 'descending' }],
    window: { first: 0, last: NEWEST - 1 },
  });
  protected readonly more = computed(() => {
    const size = this.table.size();
    return size > NEWEST ? `The newest ${String(NEWEST)} of ${size.toLocaleString('en')}.` : null;
  });
  protected readonly letters = computed(() =>
    recordsOf(this.table.snapshot()).map((row) => ({
      place: `${textIn(row, 'topic')}, partition ${textIn(row, 'partition')}, offset ${textIn(row, 'offset')}`,
      time: momentText(timeIn(row, 'when'), this.#clock.now()),
      reason: textIn(row, 'reason'),
      text: textIn(row, 'text'),
    })),
  );
}

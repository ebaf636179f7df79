import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { Clock } from '../clock';
import { ControlLog } from './control-log';
import { momentText } from './moment-text';
import { VerdictChip } from './verdict-chip';

/** What was asked for, by whomever, and what became of it. */
@Component({
  selector: 'lj-control-log-list',
  imports: [VerdictChip],
  template: `
    <ol class="log" data-testid="control-log">
      @for (entry of entries(); track $index) {
        <li>
          <div class="line">
            <lj-verdict-chip [verdict]="entry.verdict" />
            <span class="asked">
              <time>{{ entry.time }}</time>
              @if (entry.by) {
                by {{ entry.by }}
              }
            </span>
          </div>
          <code>{{ entry.raw || '(empty)' }}</code>
          @if (entry.reason) {
            <p>{{ entry.reason }}</p>
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
  protected readonly error = this.#log.table.error;
  protected readonly entries = computed(() =>
    this.#log.entries().map((entry) => ({ ...entry, time: momentText(entry.when, this.#clock.now()) })),
  );
}

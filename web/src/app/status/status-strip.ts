import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { cellOf, injectConnection, injectLiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { ControlPanelState } from '../control/control-panel-state';
import { durationText } from '../duration';
import { SwapBar } from './swap-bar';
import { SwapWatch } from './swap-watch';

/** Which topics and which join are on the screen, since when, and how fresh the rows are. */
@Component({
  selector: 'lj-status-strip',
  imports: [SwapBar],
  templateUrl: './status-strip.html',
  styleUrl: './status-strip.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class StatusStrip {
  readonly #clock = inject(Clock);
  readonly #connection = injectConnection();
  readonly #table = injectLiveTable('orchestrator_status', { window: () => ({ first: 0, last: 0 }) });

  protected readonly panel = inject(ControlPanelState);
  protected readonly isSwapping = inject(SwapWatch).isSwapping;
  protected readonly loading = computed(() => this.#table.state().kind === 'loading');
  protected readonly known = computed(() => this.#table.rows().length > 0);
  protected readonly stale = computed(() => this.#table.state().kind === 'stale');
  protected readonly usersTopic = this.#text('usersTopic');
  protected readonly accountsTopic = this.#text('accountsTopic');
  protected readonly joinType = this.#text('joinType');
  protected readonly generation = this.#text('generation');
  protected readonly state = this.#text('state');
  protected readonly message = this.#text('message');
  protected readonly lastApplied = this.#text('lastApplied');

  protected readonly since = computed(() => {
    const at = Date.parse(this.lastApplied());
    return Number.isNaN(at) ? '' : durationText(this.#clock.now() - at);
  });

  /** Why there is nothing fresh, while the connection is being made again. */
  protected readonly trouble = computed(() => {
    const state = this.#connection.state();
    return state.kind === 'reconnecting' ? state.reason : null;
  });

  protected readonly age = computed(() => {
    const now = this.#clock.now();
    const at = this.#connection.receivedAt();
    return at === null ? '' : durationText(now - at);
  });

  #text(column: string) {
    return computed(() => {
      const value = cellOf(this.#table.snapshot(), 0, column);
      return value === null || value === undefined || typeof value === 'object' ? '' : value.toString();
    });
  }
}

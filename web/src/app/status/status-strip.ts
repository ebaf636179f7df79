import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { injectConnection, injectLiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { entryOf } from '../control/control-entry';
import { NEWEST_FIRST } from '../control/control-log';
import { ControlPanelState } from '../control/control-panel-state';
import { Declared } from '../declaration/declared';
import { spoken } from '../declaration/words';
import { durationText } from '../duration';
import { exactTextIn, numberIn, recordsOf } from '../records';
import { sentence } from '../sentence';
import { rejectionOf } from './rejection';
import { SourceWatch } from './source-watch';
import { SwapBar } from './swap-bar';
import { SwapWatch } from './swap-watch';
import { curvePoints } from './throughput';

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
/** Two looks a second for a minute. */
const CURVE_SLOTS = 120;

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
  readonly #declared = inject(Declared);
  readonly #table = injectLiveTable('orchestrator_status', { window: () => ({ first: 0, last: 0 }) });

  /** Counts all dead letters of what is live; `dead_letters` has the newest of any. */
  readonly #accounting = injectLiveTable('accounting', { window: { first: 0, last: 0 } });
  readonly #messages = injectLiveTable('control_raw', {
    sort: NEWEST_FIRST,
    window: { first: 0, last: 0 },
  });
  readonly #throughput = inject(SourceWatch).throughput;
  protected readonly panel = inject(ControlPanelState);
  protected readonly isSwapping = inject(SwapWatch).isSwapping;
  protected readonly loading = computed(() => this.#table.state().kind === 'loading');
  protected readonly known = computed(() => this.#table.rows().length > 0);
  protected readonly stale = computed(() => this.#table.state().kind === 'stale');
  readonly #row = computed(() => recordsOf(this.#table.snapshot())[0] ?? null);
  protected readonly topics = computed(() => {
    const row = this.#row();
    return row === null ? { left: '', right: '' } : this.#declared.topicsIn(row);
  });
  protected readonly names = computed(() => {
    const { left, right } = this.#declared.told() ?? { left: { name: '' }, right: { name: '' } };
    return { left: spoken(left.name), right: spoken(right.name) };
  });
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

  protected readonly rejection = computed(() => {
    const [newest] = recordsOf(this.#messages.snapshot()).map(entryOf);
    return rejectionOf(newest ?? null, this.#clock.now());
  });

  protected readonly age = computed(() => {
    const now = this.#clock.now();
    const at = this.#connection.receivedAt();
    return at === null ? '' : durationText(now - at);
  });

  protected readonly rate = computed(() => countText(this.#throughput().rate));
  protected readonly lag = computed(() => countText(this.#throughput().lag));
  protected readonly letters = computed(() => {
    const [row] = recordsOf(this.#accounting.snapshot());
    return countText(row === undefined ? null : numberIn(row, 'deadLetters'));
  });
  protected readonly curve = computed(() => curvePoints(this.#throughput().curve, CURVE_SLOTS, 88, 20));

  /** Said where nothing else is: what became of the last message, or how to begin. */
  protected readonly usual = computed(() => {
    if (this.stale())
      return 'The table server is still loading its tables. The last rows stay until they are there.';
    if (this.known())
      return sentence(this.message()) || 'Up to date. What arrives in these topics is shown at once.';
    return this.loading() ? '' : 'The first control message or the configured pair starts a join.';
  });

  #text(column: string) {
    return computed(() => {
      const row = this.#row();
      return row === null ? '' : exactTextIn(row, column);
    });
  }
}

function countText(count: number | null): string {
  return count === null ? '–' : COUNT.format(count);
}

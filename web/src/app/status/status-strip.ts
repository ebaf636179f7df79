import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { ControlPanelState } from '../control/control-panel-state';
import { Declared } from '../declaration/declared';
import { spoken } from '../declaration/words';
import { durationText } from '../duration';
import { numberIn, recordsOf } from '../records';
import { freshnessOf } from './freshness';
import { SourceWatch } from './source-watch';
import { StatusWatch } from './status-watch';
import { SwapWatch } from './swap-watch';
import { curvePoints, scaleOf } from './throughput';

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
/** Two looks a second for a minute. */
const CURVE_SLOTS = 120;

/** Which topics and which join are on the screen, how old their newest events are, and what flows through. */
@Component({
  selector: 'lj-status-strip',
  templateUrl: './status-strip.html',
  styleUrl: './status-strip.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class StatusStrip {
  readonly #clock = inject(Clock);
  readonly #declared = inject(Declared);
  readonly #watch = inject(StatusWatch);
  readonly #sources = inject(SourceWatch);
  /** Counts all dead letters of what is live; `dead_letters` has the newest of any. */
  readonly #accounting = injectLiveTable('accounting', { window: { first: 0, last: 0 } });
  protected readonly panel = inject(ControlPanelState);
  protected readonly isSwapping = inject(SwapWatch).isSwapping;
  protected readonly isLoading = this.#watch.isLoading;
  protected readonly isStale = this.#watch.isStale;
  /** Null while no topics are live. */
  protected readonly status = computed(() => (this.#watch.isShown() ? this.#watch.status() : null));
  protected readonly topics = computed(() => {
    const status = this.status();
    const declaration = this.#declared.told();
    const now = this.#clock.now();
    return (['left', 'right'] as const).map((side) => {
      const name = declaration?.[side].name ?? '';
      const freshness = freshnessOf(this.#sources.sources().get(name) ?? null, now);
      return { side, topic: status?.[side] ?? '', hint: `Topic of ${spoken(name)}`, freshness };
    });
  });
  protected readonly since = computed(() => {
    const since = this.status()?.since ?? null;
    return since === null ? '–' : durationText(Math.max(0, this.#clock.now() - since));
  });
  protected readonly sinceWhen = computed(() => {
    const since = this.status()?.since ?? null;
    return since === null ? '' : new Date(since).toISOString();
  });
  protected readonly rate = computed(() => countText(this.#sources.throughput().rate));
  protected readonly lag = computed(() => countText(this.#sources.throughput().lag));
  protected readonly letters = computed(() => {
    const [row] = recordsOf(this.#accounting.snapshot());
    return countText(row === undefined ? null : numberIn(row, 'deadLetters'));
  });
  readonly #curve = computed(() => this.#sources.throughput().curve.slice(-CURVE_SLOTS));
  readonly #scale = computed(() => scaleOf(this.#curve()));
  protected readonly top = computed(() => COUNT.format(this.#scale()));
  protected readonly curve = computed(() => curvePoints(this.#curve(), this.#scale(), CURVE_SLOTS, 88, 20));
}

function countText(count: number | null): string {
  return count === null ? '–' : COUNT.format(count);
}

import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { injectLiveTable, instantOf, LivejoinFormats } from 'livejoin-angular';
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
  readonly #formats = inject(LivejoinFormats);
  readonly #count = (count: number): string => this.#formats.count(count);
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
    const now = this.#clock.serverNow();
    return (['left', 'right'] as const).map((side) => {
      const name = declaration?.[side].name ?? '';
      const freshness = freshnessOf(this.#sources.sources().get(name) ?? null, now, this.#count);
      return { side, topic: status?.[side] ?? '', hint: `Topic of ${spoken(name)}`, freshness };
    });
  });
  protected readonly since = computed(() => {
    const since = this.status()?.since ?? null;
    return since === null ? '–' : durationText(Math.max(0, this.#clock.serverNow() - since));
  });
  protected readonly sinceWhen = computed(() => {
    const since = this.status()?.since ?? null;
    return since === null ? '' : this.#formats.moment(instantOf(BigInt(since) * 1_000_000n));
  });
  protected readonly rate = computed(() => this.#countText(this.#sources.throughput().rate));
  protected readonly lag = computed(() => this.#countText(this.#sources.throughput().lag));
  protected readonly letters = computed(() => {
    const [row] = recordsOf(this.#accounting.snapshot());
    return this.#countText(row === undefined ? null : numberIn(row, 'deadLetters'));
  });
  readonly #curve = computed(() => this.#sources.throughput().curve.slice(-CURVE_SLOTS));
  readonly #scale = computed(() => scaleOf(this.#curve()));
  protected readonly top = computed(() => this.#count(this.#scale()));
  protected readonly curve = computed(() => curvePoints(this.#curve(), this.#scale(), CURVE_SLOTS, 88, 20));

  #countText(count: number | null): string {
    return count === null ? '–' : this.#count(Math.round(count));
  }
}

import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import { GridPosition, injectLiveTable, LiveGrid, type ColumnMark, type LiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { durationText } from '../duration';
import { ColumnOrigin, type Origin } from './column-origin';

const COUNT = new Intl.NumberFormat('en');

const MARKS: Readonly<Record<Origin, ColumnMark>> = {
  users: { colour: 'var(--users)', hint: 'from users' },
  accounts: { colour: 'var(--accounts)', hint: 'from accounts' },
  joined: { colour: 'var(--joined)', hint: 'in both: what the rows are joined by' },
};

/** One table with its name, its size, its place and its state. */
@Component({
  selector: 'lj-table-panel',
  imports: [LiveGrid],
  providers: [ColumnOrigin],
  templateUrl: './table-panel.html',
  styleUrl: './table-panel.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TablePanel {
  readonly table = input.required<string>();
  readonly heading = input.required<string>();
  readonly strand = input.required<Origin>();

  readonly #clock = inject(Clock);
  readonly #origin = inject(ColumnOrigin);
  protected readonly position: GridPosition = new GridPosition(() => this.live.size());
  protected readonly live: LiveTable = injectLiveTable(() => this.table(), {
    window: () => this.position.window(),
  });

  protected readonly state = this.live.state;
  protected readonly size = computed(() => COUNT.format(this.live.size()));
  protected readonly isEmpty = computed(() => this.state().kind !== 'loading' && this.live.size() === 0);
  protected readonly waitingFor = computed(() => {
    const state = this.state();
    return state.kind === 'loading' ? state.reason : null;
  });
  protected readonly staleFor = computed(() => {
    const at = this.live.receivedAt();
    return this.state().kind === 'stale' && at !== null ? durationText(this.#clock.now() - at) : null;
  });
  protected readonly range = computed(() => {
    if (this.live.size() === 0) return '';
    const { first, last } = this.position.readable();
    return `${COUNT.format(first + 1)}–${COUNT.format(last + 1)}`;
  });

  /** The joined table tells by a colour where each of its columns comes from. */
  protected readonly marks = computed(() => {
    const isJoined = this.strand() === 'joined';
    return (column: string): ColumnMark | null => {
      const origin = isJoined ? this.#origin.of(column) : null;
      return origin === null ? null : MARKS[origin];
    };
  });

  /** Widths of the bars that stand for rows, uneven as words are. */
  protected readonly bones = [72, 58, 81, 64, 49, 77, 68, 55, 74, 61, 83, 52];
}

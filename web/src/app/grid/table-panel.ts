import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import {
  GridPosition,
  injectLiveTable,
  LiveGrid,
  type ColumnMark,
  type LiveTable,
  type SortPress,
} from 'livejoin-angular';
import { Clock } from '../clock';
import { durationText } from '../duration';
import { SwapWatch } from '../status/swap-watch';
import { ColumnOrigin, type Origin } from './column-origin';
import { Pause } from './pause';
import { TableViews } from './table-views';
import { AS_IT_IS, sortedBy, type ViewChoice } from './view-choice';
import { ViewEditor } from './view-editor';

const COUNT = new Intl.NumberFormat('en');

const MARKS: Readonly<Record<Origin, ColumnMark>> = {
  users: { colour: 'var(--users)', hint: 'from users' },
  accounts: { colour: 'var(--accounts)', hint: 'from accounts' },
  joined: { colour: 'var(--joined)', hint: 'in both: what the rows are joined by' },
};

/** One table with its name, its size, its place and its state. */
@Component({
  selector: 'lj-table-panel',
  imports: [LiveGrid, ViewEditor],
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
  readonly #views = inject(TableViews);
  protected readonly isSwapping = inject(SwapWatch).isSwapping;
  protected readonly choice = this.#views.choiceOf(this.table);
  protected readonly position: GridPosition = new GridPosition(() => this.pause.size());
  protected readonly live: LiveTable = injectLiveTable(() => this.table(), {
    sort: () => this.choice().sort,
    filter: () => this.choice().filter,
    window: () => this.position.window(),
  });

  protected readonly pause: Pause = new Pause(
    () => this.live.snapshot(),
    () => this.position.visible(),
  );
  protected readonly isEdited = signal(false);
  protected readonly isMaximised = computed(() => this.#views.maximised() === this.table());
  protected readonly isFiltered = computed(() => this.choice().filter.length > 0);
  protected readonly isChanged = computed(() => this.isFiltered() || this.choice().sort.length > 0);

  protected readonly state = this.live.state;
  protected readonly size = computed(() => COUNT.format(this.pause.size()));
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
    if (this.pause.size() === 0) return '';
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

  constructor() {
    // A log is read from its end; rows in an order of the reader's own from their beginning.
    effect(() => {
      const isSorted = this.choice().sort.length > 0;
      untracked(() => {
        this.pause.resume();
        if (isSorted) this.position.first();
        else this.position.follow();
      });
    });
  }

  protected sort({ column, isAdded }: SortPress): void {
    const { sort, filter } = this.choice();
    this.choose({ sort: sortedBy(sort, column, isAdded), filter });
  }

  protected choose(choice: ViewChoice): void {
    this.#views.choose(this.table(), choice);
  }

  protected clear(): void {
    this.choose(AS_IT_IS);
  }

  protected toggleMaximised(): void {
    this.#views.maximise(this.isMaximised() ? null : this.table());
  }

  /** Widths of the bars that stand for rows, uneven as words are. */
  protected readonly bones = [72, 58, 81, 64, 49, 77, 68, 55, 74, 61, 83, 52];
}

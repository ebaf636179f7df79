import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import {
  GridPosition,
  injectTableExport,
  injectLiveTable,
  LiveGrid,
  shownColumns,
  simplified,
  type Column,
  type ColumnMark,
  type LiveTable,
  type SortPress,
} from 'livejoin-angular';
import { KnownRights } from '../access/known-rights';
import { Clock } from '../clock';
import { durationText } from '../duration';
import { Declared, type Side } from '../declaration/declared';
import { spoken } from '../declaration/words';
import { Notices } from '../status/notices';
import { SwapWatch } from '../status/swap-watch';
import { exportName, exportText } from './export-file';
import { Pause } from './pause';
import { QuickSearch } from './quick-search';
import { TableBones } from './table-bones';
import { TablePages } from './table-pages';
import { TableTools } from './table-tools';
import { TableViews } from './table-views';
import { conditionOf } from './typed-filter';
import { AS_IT_IS, fittingChoice, sortedBy, type ViewChoice } from './view-choice';
import { ViewEditor } from './view-editor';

const COUNT = new Intl.NumberFormat('en');

/** What is old for a shorter time is not worth a word. */
const STALE_MS = 700;

/** As long as it takes to read that something was copied or saved. */
const NOTE_MS = 6_000;

/** One table with its name, its size, its place and its state. */
@Component({
  selector: 'lj-table-panel',
  imports: [LiveGrid, QuickSearch, TableBones, TablePages, TableTools, ViewEditor],
  templateUrl: './table-panel.html',
  styleUrl: './table-panel.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TablePanel {
  readonly table = input.required<string>();
  readonly heading = input.required<string>();
  readonly strand = input.required<Side>();

  readonly #clock = inject(Clock);
  readonly #declared = inject(Declared);
  readonly #views = inject(TableViews);
  readonly #notices = inject(Notices);
  readonly #rights = inject(KnownRights);
  protected readonly isSwapping = inject(SwapWatch).isSwapping;
  protected readonly csv = injectTableExport();
  protected readonly choice = this.#views.choiceOf(this.table);
  protected readonly position: GridPosition = new GridPosition(() => this.pause.size());
  /** The table itself: its columns, whatever is sorted and filtered. Where nothing is, it is the same viewport. */
  readonly #whole = injectLiveTable(() => this.table(), { window: null });
  readonly #kinds = computed(() => new Map(this.#whole.columns().map(({ name, kind }) => [name, kind])));
  readonly #filter = computed(() =>
    this.choice().filter.flatMap((typed) => conditionOf(typed, this.#kinds().get(typed.column)) ?? []),
  );
  protected readonly live: LiveTable = injectLiveTable(() => this.table(), {
    sort: () => this.choice().sort,
    filter: () => this.#filter(),
    search: () => this.choice().search,
    window: () => this.position.window(),
  });

  protected readonly pause: Pause = new Pause(
    () => this.live.snapshot(),
    () => this.position.visible(),
  );
  protected readonly isEdited = signal(false);
  protected readonly isMaximised = computed(() => this.#views.maximised() === this.table());
  protected readonly isFiltered = computed(
    () => this.choice().filter.length > 0 || this.choice().search.trim() !== '',
  );
  /** What a table without rows was asked for. */
  protected readonly restriction = computed(() => {
    const { search, filter } = this.choice();
    const columns = [...new Set(filter.map(({ column }) => column))].join(', ');
    const parts = [
      ...(search.trim() === '' ? [] : [`searched for “${search.trim()}”`]),
      ...(columns === '' ? [] : [`filtered by ${columns}`]),
    ];
    return `It is ${parts.join(' and ')}.`;
  });
  protected readonly isChanged = computed(
    () => this.isFiltered() || this.choice().sort.length > 0 || this.choice().columns !== null,
  );

  private readonly grid = viewChild(LiveGrid);
  readonly #said = signal<{ readonly text: string; readonly at: number; readonly isBad: boolean } | null>(
    null,
  );
  readonly #refreshedAt = signal<number | null>(null);

  readonly state = this.live.state;
  protected readonly size = computed(() => COUNT.format(this.pause.size()));
  protected readonly isEmpty = computed(() => this.state().kind !== 'loading' && this.live.size() === 0);
  protected readonly waitingFor = computed(() => {
    const state = this.state();
    return state.kind === 'loading' ? state.reason : null;
  });
  // Of its own, because every try to connect again makes another state, and the rows are no younger for it.
  readonly #isStale = computed(() => this.state().kind === 'stale');
  readonly #staleSince = computed(() => (this.#isStale() ? Date.now() : null));
  protected readonly staleFor = computed(() => {
    const at = this.live.receivedAt();
    const since = this.#staleSince();
    const now = this.#clock.now();
    // Rows that are merely sorted anew are here before anybody could read a mark.
    return at === null || since === null || now - since < STALE_MS ? null : durationText(now - at);
  });

  protected readonly mayExport = computed(() => this.#rights.value()?.mayExport !== false);
  protected readonly isExporting = computed(() => this.csv.state().kind === 'running');
  /** From 0 to 1; null before the server has made its copy. */
  protected readonly exported = computed(() => {
    const state = this.csv.state();
    if (state.kind !== 'running' || state.total === null) return null;
    return state.total === 0 ? 1 : state.done / state.total;
  });
  protected readonly isRefreshing = computed(
    () => this.#refreshedAt() !== null && this.#refreshedAt() === this.live.receivedAt(),
  );

  /** What has just been done, while it is news. */
  protected readonly note = computed(() => {
    if (this.isExporting()) return exportText(this.csv.state());
    const said = this.#said();
    return said !== null && this.#clock.now() - said.at < NOTE_MS ? said.text : '';
  });

  protected readonly isWarning = computed(() => !this.isExporting() && this.#said()?.isBad === true);

  /** The joined table tells by a colour where each of its columns comes from. */
  protected readonly marks = computed(() => {
    const columns = this.strand() === 'joined' ? this.live.columns() : [];
    const marks = new Map(columns.map((column) => [column.name, this.#markOf(column)]));
    return (column: string): ColumnMark | null => marks.get(column) ?? null;
  });

  constructor() {
    const rowsAskedFor = computed(() => {
      const { sort, filter, search } = this.choice();
      return JSON.stringify([sort, filter, search]);
    });
    // A log is read from its end; rows in an order of the reader's own from their beginning.
    effect(() => {
      rowsAskedFor();
      untracked(() => {
        this.pause.resume();
        if (this.choice().sort.length > 0) this.position.first();
        else this.position.follow();
      });
    });
    // What was chosen for other columns, by a link or before something else was joined, would never be answered.
    effect(() => {
      if (this.#whole.state().kind !== 'live') return;
      const choice = this.choice();
      const fitting = fittingChoice(choice, this.#whole.columns());
      if (fitting === choice) return;
      untracked(() => {
        this.#views.choose(this.table(), fitting);
      });
    });
    effect(() => {
      const state = this.csv.state();
      if (state.kind === 'saved' || state.kind === 'failed')
        this.#say(exportText(state), state.kind === 'failed');
    });
  }

  protected sort({ column, isAdded }: SortPress): void {
    this.choose({ sort: sortedBy(this.choice().sort, column, isAdded) });
  }

  protected choose(change: Partial<ViewChoice>): void {
    const { columns, ...rest } = { ...this.choice(), ...change };
    this.#views.choose(this.table(), { ...rest, columns: simplified(this.live.columns(), columns) });
  }

  protected clear(): void {
    this.choose(AS_IT_IS);
  }

  protected toggleMaximised(): void {
    this.#views.maximise(this.isMaximised() ? null : this.table());
  }

  /** The row is on the screen and has the focus, so that the next key goes on from there. */
  protected jump(row: number): void {
    this.position.reveal(row);
    this.grid()?.cursor.moveTo({ row, column: 0 });
    this.grid()?.focus();
  }

  protected refresh(): void {
    this.#refreshedAt.set(this.live.receivedAt());
    this.pause.resume();
    this.live.refresh();
  }

  /** What is on the screen, but all rows of it. */
  protected export(): void {
    const { sort, search, columns } = this.choice();
    const filter = this.#filter();
    const names = shownColumns(this.live.columns(), columns).map(({ name }) => name);
    const table = this.table();
    void this.csv.start({ table, sort, filter, search, columns: names }, (file) =>
      exportName(table, file, new Date()),
    );
  }

  protected tellCopied(cells: number): void {
    const instead = this.mayExport() ? ': export gives all of them' : '';
    if (cells === 0) this.#say(`Too many rows to copy${instead}.`, true);
    else this.#say(`Copied ${COUNT.format(cells)} cell${cells === 1 ? '' : 's'}`);
  }

  #say(text: string, isBad = false): void {
    this.#said.set({ text, at: Date.now(), isBad });
    this.#notices.say(`${this.heading()}: ${text}`);
  }

  #markOf(column: Column): ColumnMark | null {
    const side = this.#declared.originOf(column);
    if (side === null) return null;
    const hint = side === 'joined' ? this.#declared.joinedBy() : `from ${spoken(column.source ?? '')}`;
    return { colour: `var(--${side})`, hint };
  }
}

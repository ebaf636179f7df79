import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  signal,
  viewChild,
} from '@angular/core';
import {
  ColumnList,
  ColumnMenu,
  injectTableExport,
  injectTableView,
  LiveGrid,
  LivejoinFormats,
  sortedBy,
  TablePager,
  TableSearch,
  ViewAddress,
  ViewChips,
  type ChipPress,
  type Column,
  type ColumnMark,
  type ExportState,
  type MenuWish,
  type SortPress,
} from 'livejoin-angular';
import { KnownRights } from '../access/known-rights';
import { Clock } from '../clock';
import { durationText } from '../duration';
import { Declared, type Side } from '../declaration/declared';
import { spoken } from '../declaration/words';
import { FocusThen } from '../focus-then';
import { Notices } from '../status/notices';
import { SwapWatch } from '../status/swap-watch';
import { ExportChoice } from './export-choice';
import { exportName, exportText } from './export-file';
import type { ExportKind } from './export-kind';
import { ExportMenu } from './export-menu';
import { keptText } from './kept-text';
import { TableBones } from './table-bones';
import { TableTools } from './table-tools';
import { TableViews } from './table-views';

/** What is old for a shorter time is not worth a word. */
const STALE_MS = 700;

/** As long as it takes to read that something was copied or saved. */
const NOTE_MS = 6_000;

interface OpenMenu {
  readonly column: Column;
  readonly beside: HTMLElement;
  readonly isFilterAskedFor: boolean;
}

/** One table with its name, its size, its place and its state. */
@Component({
  selector: 'lj-table-panel',
  imports: [
    ColumnList,
    ColumnMenu,
    ExportMenu,
    FocusThen,
    LiveGrid,
    TableBones,
    TablePager,
    TableSearch,
    TableTools,
    ViewChips,
  ],
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
  readonly #formats = inject(LivejoinFormats);
  protected readonly isSwapping = inject(SwapWatch).isSwapping;
  readonly #exports = inject(ExportChoice);
  protected readonly keepsFormulas = this.#exports.keepsFormulas;
  protected readonly file = injectTableExport();
  protected readonly view = injectTableView(() => this.table(), inject(ViewAddress));

  protected readonly exportMenu = signal<HTMLElement | null>(null);
  protected readonly list = signal<HTMLElement | null>(null);
  protected readonly menu = signal<OpenMenu | null>(null);
  protected readonly isMaximised = computed(() => this.#views.maximised() === this.table());
  /** What of its source the table keeps; null for the joined one. */
  protected readonly kept = computed(() => keptText(this.#declared.sourceAt(this.strand())));

  protected readonly grid = viewChild(LiveGrid);
  private readonly search = viewChild.required(TableSearch);
  private readonly tools = viewChild.required(TableTools);
  readonly #said = signal<{ readonly text: string; readonly at: number; readonly isBad: boolean } | null>(
    null,
  );
  readonly #refreshedAt = signal<number | null>(null);

  readonly state = this.view.live.state;
  protected readonly size = computed(() => this.#formats.count(this.view.pause.size()));
  protected readonly sizeOf = computed(() =>
    this.view.isRestricted()
      ? `of ${this.#formats.count(this.view.whole.size())} ${rowsOf(this.view.whole.size())}`
      : rowsOf(this.view.pause.size()),
  );
  protected readonly isEmpty = computed(() => this.state().kind !== 'loading' && this.view.live.size() === 0);
  protected readonly waitingFor = computed(() => {
    const state = this.state();
    return state.kind === 'loading' ? state.reason : null;
  });
  // Of its own, because every try to connect again makes another state, and the rows are no younger for it.
  readonly #isStale = computed(() => this.state().kind === 'stale');
  readonly #staleSince = computed(() => (this.#isStale() ? Date.now() : null));
  protected readonly staleFor = computed(() => {
    const at = this.view.live.receivedAt();
    const since = this.#staleSince();
    const now = this.#clock.now();
    // Rows that are merely sorted anew are here before anybody could read a mark.
    return at === null || since === null || now - since < STALE_MS ? null : durationText(now - at);
  });
  /** Whether the rows have been old for long enough that it is worth a word. */
  readonly isOld = computed(() => this.staleFor() !== null);
  /** Not while it may be answered at any moment. */
  protected readonly refusal = computed(() => (this.staleFor() === null ? null : this.view.refusal()));

  protected readonly mayExport = computed(() => this.#rights.value()?.mayExport !== false);
  protected readonly isExporting = computed(() => this.file.state().kind === 'running');
  /** From 0 to 1; null before the server has made its copy. */
  protected readonly exported = computed(() => {
    const state = this.file.state();
    if (state.kind !== 'running' || state.total === null) return null;
    return state.total === 0 ? 1 : state.done / state.total;
  });
  protected readonly isRefreshing = computed(
    () => this.#refreshedAt() !== null && this.#refreshedAt() === this.view.live.receivedAt(),
  );

  /** What has just been done, while it is news. */
  protected readonly note = computed(() => {
    if (this.isExporting()) return this.#exportText(this.file.state());
    const said = this.#said();
    return said !== null && this.#clock.now() - said.at < NOTE_MS ? said.text : '';
  });

  protected readonly isWarning = computed(() => !this.isExporting() && this.#said()?.isBad === true);

  /** The joined table tells by a colour where each of its columns comes from. */
  protected readonly marks = computed(() => {
    const columns = this.strand() === 'joined' ? this.view.live.columns() : [];
    const marks = new Map(columns.map((column) => [column.name, this.#markOf(column)]));
    return (column: string): ColumnMark | null => marks.get(column) ?? null;
  });

  constructor() {
    effect(() => {
      const state = this.file.state();
      if (state.kind === 'saved' || state.kind === 'failed')
        this.#say(this.#exportText(state), state.kind === 'failed');
    });
  }

  protected sort({ column, isAdded }: SortPress): void {
    this.view.choose({ sort: sortedBy(this.view.choice().sort, column, isAdded) });
  }

  protected openMenu({ column: name, beside: wanted }: MenuWish, isFilterAskedFor = false): void {
    const column = this.view.whole.columns().find((one) => one.name === name);
    // A chip goes with what it tells of, also while the list that it has opened is there.
    const beside = wanted.isConnected ? wanted : this.tools().columnsButton;
    if (beside !== wanted) beside.focus();
    this.list.set(null);
    this.menu.set(column === undefined ? null : { column, beside, isFilterAskedFor });
  }

  protected closeMenu(beside: HTMLElement): void {
    this.menu.set(null);
    this.#takeFocusOf(beside);
  }

  protected closeList(beside: HTMLElement): void {
    this.list.set(null);
    this.#takeFocusOf(beside);
  }

  protected changeChip({ chip, beside }: ChipPress): void {
    if (chip.about === 'search') this.search().focus();
    else if (chip.about === 'columns') this.list.set(beside);
    else this.openMenu({ column: chip.column, beside }, chip.about === 'filter');
  }

  protected readonly widthOf = (column: string): number => this.grid()?.widthOf(column) ?? 0;

  protected readonly focusExport = (): void => {
    this.tools().focusExport();
  };

  protected toggleMaximised(): void {
    this.#views.maximise(this.isMaximised() ? null : this.table());
  }

  /** The row is on the screen and has the focus, so that the next key goes on from there. */
  protected jump(row: number): void {
    this.view.position.reveal(row);
    this.grid()?.cursor.moveTo({ row, column: 0 });
    this.grid()?.focus();
  }

  protected refresh(): void {
    this.#refreshedAt.set(this.view.live.receivedAt());
    this.view.pause.resume();
    this.view.live.refresh();
  }

  /** What is on the screen, but all rows of it. */
  protected export(kind: ExportKind): void {
    const { sort, search } = this.view.choice();
    const columns = this.view.shown().map(({ name }) => name);
    const table = this.table();
    const description = { table, sort, filter: this.view.filter(), search, columns };
    const format = this.#exports.formatOf(kind);
    void this.file.start(description, (file) => exportName(table, kind, file, this.#formats), format);
  }

  protected tellCopied(cells: number): void {
    const instead = this.mayExport() ? ': export gives all of them' : '';
    if (cells === 0) this.#say(`Too many rows to copy${instead}.`, true);
    else this.#say(`Copied ${this.#formats.count(cells)} cell${cells === 1 ? '' : 's'}`);
  }

  /** What it would have gone back to is not there any more. */
  #takeFocusOf(gone: HTMLElement): void {
    const { activeElement: active, body } = document;
    // A menu that has just been closed still has it.
    const isLost = active === null || active === body || active.closest('lj-popover') !== null;
    if (!gone.isConnected && isLost) this.grid()?.focus();
  }

  #say(text: string, isBad = false): void {
    this.#said.set({ text, at: Date.now(), isBad });
    this.#notices.say(`${this.heading()}: ${text}`);
  }

  #exportText(state: ExportState): string {
    return exportText(state, (number) => this.#formats.count(number));
  }

  #markOf(column: Column): ColumnMark | null {
    const side = this.#declared.originOf(column);
    if (side === null) return null;
    const hint = side === 'joined' ? this.#declared.joinedBy() : `from ${spoken(column.source ?? '')}`;
    return { colour: `var(--${side})`, hint };
  }
}

/** One row is not rows. */
function rowsOf(size: number): string {
  return size === 1 ? 'row' : 'rows';
}

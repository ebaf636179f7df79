import {
  ChangeDetectionStrategy,
  Component,
  computed,
  contentChildren,
  inject,
  input,
  model,
  output,
  signal,
} from '@angular/core';
import type { FilterBy, SortBy } from 'livejoin-client';
import { LivejoinFormats } from '../formats';
import { injectLiveTable, type LiveTable } from '../inject-live-table';
import { sortedBy } from '../table-view/view-choice';
import { injectWords } from '../words';
import { CellTemplate } from './cell-template';
import type { CellFormatter } from './cell-writer';
import type { GridSelection, RowPress, SortPress } from './grid-events';
import { GridPosition } from './grid-position';
import { LiveGrid } from './live-grid';
import type { ColumnChoice } from './shown-columns';

/** A table by its name, with virtual scrolling over all of its rows. It is as high as its element. */
@Component({
  selector: 'lj-live-table',
  imports: [LiveGrid],
  template: `
    <lj-live-grid
      [snapshot]="live.snapshot()"
      [position]="position"
      [label]="label() ?? table()"
      [columns]="arrangement()"
      [sortable]="sortable()"
      [arrangeable]="arrangeable()"
      [formatter]="formatter()"
      [templates]="templates()"
      (sortPressed)="press($event)"
      (arranged)="arrangement.set($event)"
      (rowClicked)="rowClicked.emit($event)"
      (rowDoubleClicked)="rowDoubleClicked.emit($event)"
      (selected)="selected.emit($event)"
    />
    <p class="note" [attr.data-state]="live.state().kind">{{ note() }}</p>
    <p class="told" role="status">{{ told() }}</p>
  `,
  styles: `
    :host {
      position: relative;
      display: grid;
      grid-template-rows: minmax(0, 1fr) auto;
      block-size: 24rem;
    }
    .note {
      padding: 0.25rem 1rem;
      margin: 0;
      font-size: 0.8125rem;
      color: var(--lj-ink-soft, GrayText);
    }
    .told {
      position: absolute;
      width: 1px;
      height: 1px;
      margin: 0;
      overflow: hidden;
      clip-path: inset(50%);
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LiveTableComponent {
  readonly table = input.required<string>();
  /** All columns where it is left out. */
  readonly columns = input<readonly string[]>();
  /** A click on a head changes it. */
  readonly sort = model<readonly SortBy[]>();
  readonly filter = input<readonly FilterBy[]>();
  /** Text that occurs in any of a row's texts. */
  readonly search = input<string>();
  /** For people who do not see the table; its name where it is left out. */
  readonly label = input<string>();
  /** Whether a click on a head sorts. */
  readonly sortable = input(true);
  /** Whether columns can be moved and resized. */
  readonly arrangeable = input(true);
  /** How values are written, where that is not as usual. */
  readonly formatter = input<CellFormatter>(() => null);
  readonly rowClicked = output<RowPress>();
  readonly rowDoubleClicked = output<RowPress>();
  readonly selected = output<GridSelection>();

  readonly #formats = inject(LivejoinFormats);
  readonly #words = injectWords();
  private readonly cellTemplates = contentChildren(CellTemplate);
  protected readonly templates = computed(
    () => new Map(this.cellTemplates().map(({ ljCell, template }) => [ljCell(), template])),
  );
  protected readonly arrangement = signal<ColumnChoice>(null);
  protected readonly position: GridPosition = new GridPosition(() => this.live.size());
  /** What is shown, for whoever has the component by a template variable. */
  readonly live: LiveTable = injectLiveTable(this.table, {
    columns: this.columns,
    sort: this.sort,
    filter: this.filter,
    search: this.search,
    window: () => this.position.window(),
  });

  protected readonly note = computed(() => {
    const size = this.live.size();
    const rows = this.#words.rows(this.#formats.count(size), size);
    const error = this.live.error();
    if (this.live.state().kind === 'loading') return error ?? this.#words.loading;
    return error === null ? rows : this.#words.notUpToDate(rows, error);
  });
  /** Nothing that changes with every row. */
  protected readonly told = computed(() => {
    if (this.live.state().kind === 'loading') return this.live.error() ?? this.#words.loading;
    return this.live.error() ?? '';
  });

  constructor() {
    // A log is read from its end; a table in an order of the reader's own from its beginning.
    this.position.first();
  }

  protected press({ column, isAdded }: SortPress): void {
    this.sort.set(sortedBy(this.sort() ?? [], column, isAdded));
    this.position.first();
  }
}

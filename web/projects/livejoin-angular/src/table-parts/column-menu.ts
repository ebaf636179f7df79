import { ChangeDetectionStrategy, Component, computed, input, output, viewChild } from '@angular/core';
import type { Column, SortBy } from 'livejoin-client';
import { movedTo, pinned, shownColumns, toggled, unpinned } from '../live-table/shown-columns';
import type { TypedFilter } from '../table-view/typed-filter';
import { filteredBy, sortedAs, type ViewChoice } from '../table-view/view-choice';
import { injectWords } from '../words';
import { ColumnFilter } from './column-filter';
import { PARTS_STYLE } from './parts-style';
import { Popover } from './popover';
import { ZoneSwitch } from './zone-switch';

/** Everything that can be done with one column: sort, filter, move, pin, fit and hide it. */
@Component({
  selector: 'lj-column-menu',
  imports: [ColumnFilter, Popover, ZoneSwitch],
  templateUrl: './column-menu.html',
  styles: [
    PARTS_STYLE,
    `
      h3 {
        padding: 0 0.25rem;
        margin: 0 0 0.375rem;
        font-size: 0.8125rem;
        font-weight: 650;
      }
      .group {
        display: flex;
        flex-wrap: wrap;
        gap: 0.125rem;
        padding-bottom: 0.375rem;
      }
      lj-column-filter {
        display: block;
        padding: 0.5rem 0.25rem;
        border-block: 1px solid var(--lj-line, color-mix(in srgb, currentcolor 15%, transparent));
      }
      .arrange {
        display: grid;
        grid-template-columns: 1fr 1fr;
        padding: 0.375rem 0 0;
      }
      .arrange button,
      .group button {
        justify-content: start;
        padding: 0.375rem 0.5rem;
      }
      lj-zone-switch {
        display: block;
        padding: 0.375rem 0;
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ColumnMenu {
  readonly column = input.required<Column>();
  /** All that the table has. */
  readonly columns = input.required<readonly Column[]>();
  readonly choice = input.required<ViewChoice>();
  /** What it belongs beside. */
  readonly beside = input.required<HTMLElement>();
  /** How wide a column is drawn. */
  readonly widthOf = input.required<(column: string) => number>();
  readonly refusal = input<string | null>(null);
  /** Whether somebody came for the filter. */
  readonly isFilterAskedFor = input(false);
  readonly chosen = output<Partial<ViewChoice>>();
  /** Somebody wants the column to be as wide as what is in it. */
  readonly fitted = output<string>();
  readonly closed = output();

  protected readonly words = injectWords();
  private readonly popover = viewChild.required(Popover);
  readonly #shown = computed(() => shownColumns(this.columns(), this.choice().columns));
  protected readonly conditions = computed(() =>
    this.choice().filter.filter(({ column }) => column === this.column().name),
  );
  protected readonly direction = computed(
    () => this.choice().sort.find(({ column }) => column === this.column().name)?.direction ?? null,
  );
  readonly #place = computed(() => this.#shown().findIndex(({ name }) => name === this.column().name));
  protected readonly isShown = computed(() => this.#place() !== -1);
  protected readonly isFirst = computed(() => this.#place() <= 0);
  protected readonly isLast = computed(() => this.#place() === this.#shown().length - 1);
  protected readonly isOnly = computed(() => this.isShown() && this.#shown().length === 1);
  protected readonly isPinned = computed(() => this.#shown()[this.#place()]?.isPinned === true);

  protected sort(direction: SortBy['direction'] | null): void {
    this.chosen.emit({ sort: sortedAs(this.choice().sort, this.column().name, direction) });
    this.close();
  }

  protected filter(conditions: readonly TypedFilter[]): void {
    this.chosen.emit({ filter: filteredBy(this.choice().filter, this.column().name, conditions) });
  }

  /** It stays open, so that a column can be moved by several places. */
  protected move(steps: number): void {
    if (steps < 0 ? this.isFirst() : this.isLast()) return;
    this.chosen.emit({ columns: movedTo(this.#shown(), this.column().name, this.#place() + steps) });
  }

  protected pin(): void {
    const { name } = this.column();
    const columns = this.isPinned()
      ? unpinned(this.#shown(), name)
      : pinned(this.#shown(), name, this.widthOf()(name));
    this.chosen.emit({ columns });
    this.close();
  }

  protected fit(): void {
    this.fitted.emit(this.column().name);
    this.close();
  }

  protected toggle(): void {
    if (this.isOnly()) return;
    this.chosen.emit({ columns: toggled(this.#shown(), this.column().name) });
    this.close();
  }

  protected close(): void {
    this.popover().close();
  }
}

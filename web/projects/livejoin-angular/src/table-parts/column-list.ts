import {
  ChangeDetectionStrategy,
  Component,
  computed,
  input,
  linkedSignal,
  output,
  viewChild,
} from '@angular/core';
import type { Column } from 'livejoin-client';
import type { MenuWish } from '../live-table/grid-events';
import { shownColumns, toggled } from '../live-table/shown-columns';
import type { ViewChoice } from '../table-view/view-choice';
import { injectWords } from '../words';
import { Glyph } from './glyph';
import { PARTS_STYLE } from './parts-style';
import { Popover } from './popover';

/** All columns of a table, to show and hide, with the way to the menu of each: also of those that are hidden. */
@Component({
  selector: 'lj-column-list',
  imports: [Glyph, Popover],
  template: `
    <lj-popover
      data-testid="column-list"
      [label]="words.columnsOf(label())"
      [beside]="beside()"
      (closed)="closed.emit()"
    >
      @for (line of lines(); track line.name) {
        <div class="line">
          <label>
            <input
              type="checkbox"
              [attr.data-testid]="'show-' + line.name"
              [attr.aria-label]="words.showColumn(line.name)"
              [checked]="line.isShown"
              [disabled]="line.isOnly"
              (change)="toggle(line.name)"
            />
            {{ line.name }}
          </label>
          <button
            type="button"
            [attr.data-testid]="'arrange-' + line.name"
            [title]="words.menuHint"
            [attr.aria-label]="words.menuOf(line.name)"
            (click)="ask(line.name)"
          >
            <lj-glyph path="M4 6.5 8 10.5l4-4" />
          </button>
        </div>
      }
      @if (choice().columns !== null) {
        <button type="button" data-testid="all-columns" (click)="chosen.emit({ columns: null })">
          {{ words.allColumns }}
        </button>
      }
    </lj-popover>
  `,
  styles: [
    PARTS_STYLE,
    `
      .line {
        display: flex;
        gap: 1rem;
        align-items: center;
        justify-content: space-between;
      }
      label {
        display: flex;
        flex: 1;
        gap: 0.5rem;
        align-items: center;
        min-height: 1.875rem;
        padding-inline: 0.25rem;
        cursor: pointer;
      }
      input {
        width: 1rem;
        height: 1rem;
        margin: 0;
        accent-color: var(--lj-accent, auto);
      }
      @media (pointer: coarse) {
        label {
          min-height: 2.25rem;
        }
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ColumnList {
  /** What the table is called. */
  readonly label = input.required<string>();
  readonly columns = input.required<readonly Column[]>();
  readonly choice = input.required<ViewChoice>();
  readonly beside = input.required<HTMLElement>();
  readonly chosen = output<Partial<ViewChoice>>();
  readonly menuAsked = output<MenuWish>();
  readonly closed = output();

  protected readonly words = injectWords();
  private readonly popover = viewChild.required(Popover);
  readonly #shown = computed(() => shownColumns(this.columns(), this.choice().columns));
  /** A column that is hidden stays where it was, so that no line moves under the hand that hides it. */
  readonly #ordered = linkedSignal<{ shown: readonly Column[]; all: readonly Column[] }, readonly Column[]>({
    source: () => ({ shown: this.#shown(), all: this.columns() }),
    computation: ({ shown, all }, before) =>
      withHidden(shown, before?.source.all === all ? before.value : all),
  });
  protected readonly lines = computed(() => {
    const shown = new Set(this.#shown().map(({ name }) => name));
    return this.#ordered().map(({ name }) => ({
      name,
      isShown: shown.has(name),
      isOnly: shown.has(name) && shown.size === 1,
    }));
  });

  /** Closed before, so that the focus is where it was when the menu remembers it. */
  protected ask(column: string): void {
    this.popover().close();
    this.menuAsked.emit({ column, beside: this.beside() });
  }

  protected toggle(column: string): void {
    const place = this.lines().findIndex(({ name }) => name === column);
    const index = this.lines().filter(({ isShown }, at) => isShown && at < place).length;
    this.chosen.emit({ columns: toggled(this.#shown(), column, index) });
  }
}

/** What is shown in its order, and what is hidden behind the column that it stood behind in that other order. */
function withHidden(shown: readonly Column[], order: readonly Column[]): readonly Column[] {
  const lines: Column[] = [...shown];
  order.forEach((column, index) => {
    if (shown.some(({ name }) => name === column.name)) return;
    const before = order[index - 1];
    lines.splice(lines.findIndex(({ name }) => name === before?.name) + 1, 0, column);
  });
  return lines;
}

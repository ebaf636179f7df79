import { ChangeDetectionStrategy, Component, computed, input, linkedSignal, output } from '@angular/core';
import { isNumeric, movedTo, shownColumns, toggled, type Column, type FilterBy } from 'livejoin-angular';
import { injectTyping } from './typing';
import { filteredBy, sortedBy, type ViewChoice } from './view-choice';

const BOUNDS = [
  { name: 'from', is: 'greaterOrEqual' },
  { name: 'to', is: 'lessOrEqual' },
] as const;

/** Columns, sort and filter of a table, one line per column: all that a mouse can do, by keyboard and by touch. */
@Component({
  selector: 'lj-view-editor',
  templateUrl: './view-editor.html',
  styleUrl: './view-editor.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ViewEditor {
  readonly table = input.required<string>();
  readonly columns = input.required<readonly Column[]>();
  readonly choice = input.required<ViewChoice>();
  readonly chosen = output<Partial<ViewChoice>>();
  readonly closed = output();

  readonly #typing = injectTyping();
  readonly #shown = computed(() => shownColumns(this.columns(), this.choice().columns));
  /** A column that is hidden stays where it was, so that no field moves under the hand that hides it. */
  readonly #ordered = linkedSignal<{ shown: readonly Column[]; all: readonly Column[] }, readonly Column[]>({
    source: () => ({ shown: this.#shown(), all: this.columns() }),
    computation: ({ shown, all }, before) =>
      withHidden(shown, before?.source.all === all ? before.value : all),
  });
  protected readonly lines = computed(() => {
    const { sort, filter } = this.choice();
    const shown = this.#shown();
    return this.#ordered().map(({ name, kind }) => {
      const index = shown.findIndex((column) => column.name === name);
      const valueOf = (is: FilterBy['is']): string => {
        const by = filter.find((one) => one.column === name && one.is === is);
        return by !== undefined && 'to' in by ? String(by.to) : '';
      };
      const has = (is: FilterBy['is']): boolean => filter.some((by) => by.column === name && by.is === is);
      return {
        name,
        isShown: index !== -1,
        isFirst: index === 0,
        isLast: index === shown.length - 1,
        isOnly: index === 0 && shown.length === 1,
        kind: isNumeric(kind) ? 'number' : kind,
        direction: sort.find(({ column }) => column === name)?.direction ?? null,
        contains: valueOf('containing'),
        bounds: BOUNDS.map(({ name, is }) => ({ name, is, value: valueOf(is) })),
        nulls: has('null') ? 'null' : has('notNull') ? 'notNull' : '',
      };
    });
  });

  protected sort(column: string): void {
    this.chosen.emit({ sort: sortedBy(this.choice().sort, column, true) });
  }

  protected toggle(column: string): void {
    const before = this.lines().slice(
      0,
      this.lines().findIndex(({ name }) => name === column),
    );
    const index = before.filter(({ isShown }) => isShown).length;
    this.chosen.emit({ columns: toggled(this.#shown(), column, index) });
  }

  protected move(column: string, steps: number): void {
    const shown = this.#shown();
    const index = shown.findIndex(({ name }) => name === column) + steps;
    this.chosen.emit({ columns: movedTo(shown, column, index) });
  }

  protected contain(column: string, event: Event): void {
    this.#typing(event, () => {
      const to = textOf(event);
      this.#filter(column, 'containing', to === '' ? null : { column, is: 'containing', to });
    });
  }

  protected limit(column: string, is: (typeof BOUNDS)[number]['is'], event: Event): void {
    // A sign or a point with nothing behind it yet.
    if ((event.target as HTMLInputElement).validity.badInput) return;
    this.#typing(event, () => {
      const text = textOf(event);
      const to = Number(text);
      this.#filter(column, is, text === '' || !Number.isFinite(to) ? null : { column, is, to });
    });
  }

  protected restrictNulls(column: string, event: Event): void {
    const is = (event.target as HTMLSelectElement).value;
    const filter = this.choice().filter.filter(
      (by) => by.column !== column || (by.is !== 'null' && by.is !== 'notNull'),
    );
    const added: FilterBy[] = is === 'null' || is === 'notNull' ? [{ column, is }] : [];
    this.chosen.emit({ filter: [...filter, ...added] });
  }

  #filter(column: string, is: FilterBy['is'], condition: FilterBy | null): void {
    this.chosen.emit({ filter: filteredBy(this.choice().filter, column, is, condition) });
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

function textOf(event: Event): string {
  return (event.target as HTMLInputElement).value.trim();
}

import { ChangeDetectionStrategy, Component, computed, input, linkedSignal, output } from '@angular/core';
import { isNumeric, movedTo, shownColumns, toggled, type Column, type ColumnKind } from 'livejoin-angular';
import { conditionOf, type Comparison, type TypedFilter } from './typed-filter';
import { injectTyping } from './typing';
import { filteredBy, sortedBy, type ViewChoice } from './view-choice';

const BOUNDS = [
  { name: 'from', is: 'greaterOrEqual' },
  { name: 'to', is: 'lessOrEqual' },
] as const;

/** How far a box for points in time can be exact, and it takes them without their zone. */
const MILLIS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\d*Z?$/;

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
      const valueOf = (is: TypedFilter['is']): string => {
        const by = filter.find((one) => one.column === name && one.is === is);
        return by !== undefined && 'to' in by ? by.to : '';
      };
      const has = (is: TypedFilter['is']): boolean => filter.some((by) => by.column === name && by.is === is);
      return {
        name,
        isShown: index !== -1,
        isFirst: index === 0,
        isLast: index === shown.length - 1,
        isOnly: index === 0 && shown.length === 1,
        kind,
        /** The type of the boxes for its bounds; null where it has none. */
        bounded: boxOf(kind),
        direction: sort.find(({ column }) => column === name)?.direction ?? null,
        contains: valueOf('containing'),
        bounds: BOUNDS.map((bound) => ({ ...bound, value: boxText(valueOf(bound.is), kind) })),
        truth: valueOf('equal'),
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

  protected limit(column: string, kind: ColumnKind, is: Comparison, event: Event): void {
    // A sign or a point with nothing behind it yet, or a part of a date.
    if ((event.target as HTMLInputElement).validity.badInput) return;
    this.#typing(event, () => {
      const text = textOf(event);
      const to = kind === 'instant' && text !== '' ? `${text}Z` : text;
      const typed = { column, is, to };
      this.#filter(column, is, conditionOf(typed, kind) === null ? null : typed);
    });
  }

  protected restrictTruth(column: string, event: Event): void {
    const to = (event.target as HTMLSelectElement).value;
    this.#filter(column, 'equal', to === '' ? null : { column, is: 'equal', to });
  }

  protected restrictNulls(column: string, event: Event): void {
    const is = (event.target as HTMLSelectElement).value;
    const filter = this.choice().filter.filter(
      (by) => by.column !== column || (by.is !== 'null' && by.is !== 'notNull'),
    );
    const added: TypedFilter[] = is === 'null' || is === 'notNull' ? [{ column, is }] : [];
    this.chosen.emit({ filter: [...filter, ...added] });
  }

  #filter(column: string, is: TypedFilter['is'], condition: TypedFilter | null): void {
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

function boxOf(kind: ColumnKind): 'number' | 'date' | 'datetime-local' | null {
  if (isNumeric(kind)) return 'number';
  if (kind === 'instant') return 'datetime-local';
  return kind === 'date' ? 'date' : null;
}

function boxText(text: string, kind: ColumnKind): string {
  return kind === 'instant' ? (MILLIS.exec(text)?.[1] ?? '') : text;
}

function textOf(event: Event): string {
  return (event.target as HTMLInputElement).value.trim();
}

import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { isNumeric, type Column, type FilterBy } from 'livejoin-angular';
import { filteredBy, sortedBy, type ViewChoice } from './view-choice';

/** Sort and filter of a table, one line per column: all that a mouse can do, by keyboard and by touch. */
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
  readonly chosen = output<ViewChoice>();

  protected readonly lines = computed(() => {
    const { sort, filter } = this.choice();
    return this.columns().map(({ name, kind }) => {
      const valueOf = (is: FilterBy['is']): string => {
        const by = filter.find((one) => one.column === name && one.is === is);
        return by !== undefined && 'to' in by ? String(by.to) : '';
      };
      const has = (is: FilterBy['is']): boolean => filter.some((by) => by.column === name && by.is === is);
      return {
        name,
        kind: isNumeric(kind) ? 'number' : kind,
        direction: sort.find(({ column }) => column === name)?.direction ?? null,
        contains: valueOf('containing'),
        least: valueOf('greaterOrEqual'),
        most: valueOf('lessOrEqual'),
        nulls: has('null') ? 'null' : has('notNull') ? 'notNull' : '',
      };
    });
  });

  protected sort(column: string): void {
    const { sort, filter } = this.choice();
    this.chosen.emit({ sort: sortedBy(sort, column, true), filter });
  }

  protected contain(column: string, event: Event): void {
    const to = textOf(event);
    this.#filter(column, 'containing', to === '' ? null : { column, is: 'containing', to });
  }

  protected bound(column: string, is: 'greaterOrEqual' | 'lessOrEqual', event: Event): void {
    const text = textOf(event);
    const to = Number(text);
    this.#filter(column, is, text === '' || !Number.isFinite(to) ? null : { column, is, to });
  }

  protected restrictNulls(column: string, event: Event): void {
    const is = (event.target as HTMLSelectElement).value;
    const { sort } = this.choice();
    const filter = this.choice().filter.filter(
      (by) => by.column !== column || (by.is !== 'null' && by.is !== 'notNull'),
    );
    const added: FilterBy[] = is === 'null' || is === 'notNull' ? [{ column, is }] : [];
    this.chosen.emit({ sort, filter: [...filter, ...added] });
  }

  #filter(column: string, is: FilterBy['is'], condition: FilterBy | null): void {
    const { sort, filter } = this.choice();
    this.chosen.emit({ sort, filter: filteredBy(filter, column, is, condition) });
  }
}

function textOf(event: Event): string {
  return (event.target as HTMLInputElement).value.trim();
}

import type { Column, ColumnKind } from 'livejoin-client';
import type { ZoneChoice } from '../formats';
import type { LivejoinWords } from '../words';
import type { TypedFilter } from './typed-filter';
import { momentShown } from './typed-moment';
import { filteredBy, sortedAs, type ViewChoice } from './view-choice';

/** One thing that a person has chosen, to be read and taken back. */
export interface ViewChip {
  readonly about: 'search' | 'filter' | 'sort' | 'columns';
  /** Empty where it is not about one. */
  readonly column: string;
  readonly text: string;
  /** What is chosen without it. */
  readonly without: Partial<ViewChoice>;
}

/** Everything that makes the table look other than it comes, in the order in which it works. */
export function viewChips(
  choice: ViewChoice,
  columns: readonly Column[],
  words: LivejoinWords,
  zone: ZoneChoice,
): readonly ViewChip[] {
  const { search, filter, sort } = choice;
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
  const chips: ViewChip[] = [];
  if (search.trim() !== '') {
    chips.push({
      about: 'search',
      column: '',
      text: words.searchedFor(search.trim()),
      without: { search: '' },
    });
  }
  for (const column of new Set(filter.map((by) => by.column))) {
    const asked = filter.filter((by) => by.column === column);
    const parts = asked.map((by) => conditionText(by, kinds.get(column), words, zone));
    const without = { filter: filteredBy(filter, column, []) };
    chips.push({ about: 'filter', column, text: `${column} ${parts.join(', ')}`, without });
  }
  for (const { column, direction } of sort) {
    const without = { sort: sortedAs(sort, column, null) };
    chips.push({ about: 'sort', column, text: words.sortedBy(column, direction), without });
  }
  const hidden = hiddenColumns(choice, columns).length;
  if (hidden > 0) {
    const shown = [...(choice.columns ?? []), ...hiddenColumns(choice, columns)];
    chips.push({
      about: 'columns',
      column: '',
      text: words.hiddenColumns(hidden),
      without: { columns: shown },
    });
  }
  return chips;
}

function hiddenColumns(
  { columns: places }: ViewChoice,
  columns: readonly Column[],
): { name: string; width: null }[] {
  const shown = new Set((places ?? columns).map(({ name }) => name));
  return columns.filter(({ name }) => !shown.has(name)).map(({ name }) => ({ name, width: null }));
}

function conditionText(
  by: TypedFilter,
  kind: ColumnKind | undefined,
  words: LivejoinWords,
  zone: ZoneChoice,
): string {
  if (!('to' in by)) return words.conditions[by.is];
  if (kind === 'boolean') return words.conditions[by.to === 'true' ? 'true' : 'false'];
  const value = kind === 'instant' ? momentShown(by.to, zone) : kind === 'text' ? `“${by.to}”` : by.to;
  return `${words.conditions[by.is]} ${value}`;
}

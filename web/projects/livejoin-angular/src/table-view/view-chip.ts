import type { Column, ColumnKind } from 'livejoin-client';
import type { CellFormat } from '../formats';
import { isNumeric } from '../live-table/cell-text';
import { localZone } from '../live-table/moment-text';
import { visibleText } from '../visible-text';
import type { LivejoinWords, WriteCount } from '../words';
import type { TypedFilter } from './typed-filter';
import { momentShown } from './typed-moment';
import { numberShown } from './typed-number';
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
  format: CellFormat,
  written: WriteCount,
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
    const parts = asked.map((by) => conditionText(by, kinds.get(column), words, format));
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
      text: words.hiddenColumns(hidden, written),
      without: { columns: shown },
    });
  }
  // A link is written by anybody.
  return chips.map((chip) => ({ ...chip, text: visibleText(chip.text) }));
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
  format: CellFormat,
): string {
  if (!('to' in by)) return words.conditions[by.is];
  if (kind === 'boolean') return words.conditions[by.to === 'true' ? 'true' : 'false'];
  return `${words.conditions[by.is]} ${valueText(by.to, kind, format)}`;
}

function valueText(to: string, kind: ColumnKind | undefined, { locale, zone }: CellFormat): string {
  if (kind === 'instant') return `${momentShown(to, zone)} ${zone === 'UTC' ? 'UTC' : localZone()}`;
  if (kind !== undefined && isNumeric(kind)) return numberShown(to, locale);
  return kind === 'text' ? `“${to}”` : to;
}

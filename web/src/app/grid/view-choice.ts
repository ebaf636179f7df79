import type { ColumnChoice, ColumnPlace, FilterBy, SortBy } from 'livejoin-angular';

/** How a person wants to see a table. */
export interface ViewChoice {
  readonly sort: readonly SortBy[];
  readonly filter: readonly FilterBy[];
  /** Empty where nothing is searched for. */
  readonly search: string;
  readonly columns: ColumnChoice;
}

export const AS_IT_IS: ViewChoice = { sort: [], filter: [], search: '', columns: null };

/** Ascending, descending, not at all. Added to the others, or instead of them. */
export function sortedBy(sort: readonly SortBy[], column: string, isAdded: boolean): readonly SortBy[] {
  const before = sort.find((by) => by.column === column);
  if (before === undefined) return [...(isAdded ? sort : []), { column, direction: 'ascending' }];
  const next: SortBy | null = before.direction === 'ascending' ? { column, direction: 'descending' } : null;
  if (!isAdded) return next === null ? [] : [next];
  return sort.flatMap((by) => (by.column === column ? (next ?? []) : by));
}

/** With this condition instead of the one of the same kind on the same column; null takes that one away. */
export function filteredBy(
  filter: readonly FilterBy[],
  column: string,
  is: FilterBy['is'],
  condition: FilterBy | null,
): readonly FilterBy[] {
  const others = filter.filter((by) => by.column !== column || by.is !== is);
  return condition === null ? others : [...others, condition];
}

/**
 * What the address says of a table: `balance:descending` and `balance:greaterOrEqual:10` as often as needed, a text to
 * search for, and columns from left to right with a width where somebody has given one, `userId,name:120`.
 */
export function choiceIn(address: URLSearchParams, table: string): ViewChoice {
  return {
    sort: address.getAll(`${table}.sort`).flatMap(sortIn),
    filter: address.getAll(`${table}.filter`).flatMap(filterIn),
    search: address.get(`${table}.search`) ?? '',
    columns: columnsIn(address.get(`${table}.columns`) ?? ''),
  };
}

export function writeChoice(address: URLSearchParams, table: string, choice: ViewChoice): void {
  const { sort, filter, search, columns } = choice;
  for (const part of ['sort', 'filter', 'search', 'columns']) address.delete(`${table}.${part}`);
  for (const { column, direction } of sort) address.append(`${table}.sort`, `${column}:${direction}`);
  for (const by of filter) {
    const operand = 'to' in by ? `:${String(by.to)}` : '';
    address.append(`${table}.filter`, `${by.column}:${by.is}${operand}`);
  }
  if (search !== '') address.set(`${table}.search`, search);
  if (columns !== null) address.set(`${table}.columns`, columns.map(placeText).join(','));
}

function placeText({ name, width }: ColumnPlace): string {
  return width === null ? name : `${name}:${String(width)}`;
}

function columnsIn(text: string): ColumnChoice {
  const places = text.split(',').flatMap((part): ColumnPlace[] => {
    const [name = '', width = ''] = part.split(':');
    if (name === '') return [];
    return [{ name, width: /^\d{1,4}$/.test(width) ? Number(width) : null }];
  });
  return places.length === 0 ? null : places;
}

function sortIn(text: string): SortBy[] {
  const [column = '', direction] = text.split(':');
  if (column === '' || (direction !== 'ascending' && direction !== 'descending')) return [];
  return [{ column, direction }];
}

/** An address is written by anybody: what cannot be a condition is none. */
function filterIn(text: string): FilterBy[] {
  const [column = '', is, ...rest] = text.split(':');
  const to = rest.join(':');
  if (column === '') return [];
  if (is === 'null' || is === 'notNull') return [{ column, is }];
  if (to === '') return [];
  if (is === 'containing') return [{ column, is, to }];
  const isRange = is === 'greaterOrEqual' || is === 'lessOrEqual';
  return isRange && Number.isFinite(Number(to)) ? [{ column, is, to: Number(to) }] : [];
}

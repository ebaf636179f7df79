import type { Column, SortBy } from 'livejoin-client';
import type { ColumnChoice, ColumnPlace } from '../live-table/shown-columns';
import { conditionOf, isBare, isComparison, isLikeness, type TypedFilter } from './typed-filter';

/** How a person wants to see a table. */
export interface ViewChoice {
  readonly sort: readonly SortBy[];
  readonly filter: readonly TypedFilter[];
  /** Empty where nothing is searched for. */
  readonly search: string;
  readonly columns: ColumnChoice;
}

const PINNED = 'pinned';

export const AS_IT_IS: ViewChoice = { sort: [], filter: [], search: '', columns: null };

/** Ascending, descending, not at all. Added to the others, or instead of them. */
export function sortedBy(sort: readonly SortBy[], column: string, isAdded: boolean): readonly SortBy[] {
  const before = sort.find((by) => by.column === column);
  if (before === undefined) return [...(isAdded ? sort : []), { column, direction: 'ascending' }];
  const next: SortBy | null = before.direction === 'ascending' ? { column, direction: 'descending' } : null;
  if (!isAdded) return next === null ? [] : [next];
  return sort.flatMap((by) => (by.column === column ? (next ?? []) : by));
}

/** Sorted by this column in that direction, at the rank that it had; null leaves it unsorted. Others stay. */
export function sortedAs(
  sort: readonly SortBy[],
  column: string,
  direction: SortBy['direction'] | null,
): readonly SortBy[] {
  const next: readonly SortBy[] = direction === null ? [] : [{ column, direction }];
  const isThere = sort.some((by) => by.column === column);
  return isThere ? sort.flatMap((by) => (by.column === column ? next : by)) : [...sort, ...next];
}

/** With these conditions on a column instead of those that it had. */
export function filteredBy(
  filter: readonly TypedFilter[],
  column: string,
  conditions: readonly TypedFilter[],
): readonly TypedFilter[] {
  return [...filter.filter((by) => by.column !== column), ...conditions];
}

export function isRestricted({ filter, search }: ViewChoice): boolean {
  return filter.length > 0 || search.trim() !== '';
}

/** Whether anything of it differs from the table as it comes. */
export function isChosen(choice: ViewChoice): boolean {
  return isRestricted(choice) || choice.sort.length > 0 || choice.columns !== null;
}

/**
 * As much of a choice as a table with these columns can show: it may have been made for others, by a link or before
 * something else was joined. The same object where all of it fits.
 */
export function fittingChoice(choice: ViewChoice, columns: readonly Column[]): ViewChoice {
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
  const sort = choice.sort.filter(({ column }) => kinds.has(column));
  const filter = choice.filter.filter((typed) => {
    const kind = kinds.get(typed.column);
    return kind !== undefined && conditionOf(typed, kind) !== null;
  });
  const places = choice.columns?.filter(({ name }) => kinds.has(name)) ?? [];
  const isWhole =
    sort.length === choice.sort.length &&
    filter.length === choice.filter.length &&
    places.length === (choice.columns?.length ?? 0);
  return isWhole ? choice : { ...choice, sort, filter, columns: places.length === 0 ? null : places };
}

/**
 * What the address says of a table: `total:descending` and `total:greaterOrEqual:10` as often as needed, a text to
 * search for, and columns from left to right with a width where somebody has given one, and a word where it is pinned,
 * `id:80:pinned,total:120`. A name with a colon or a comma in it has `%3A` or `%2C` instead, and for a per cent sign `%25`.
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
  for (const { column, direction } of sort)
    address.append(`${table}.sort`, `${written(column)}:${direction}`);
  for (const by of filter) {
    const operand = 'to' in by ? `:${by.to}` : '';
    address.append(`${table}.filter`, `${written(by.column)}:${by.is}${operand}`);
  }
  if (search !== '') address.set(`${table}.search`, search);
  if (columns !== null) address.set(`${table}.columns`, columns.map(placeText).join(','));
}

function placeText({ name, width, isPinned }: ColumnPlace): string {
  const parts = [written(name), ...(width === null ? [] : [String(width)]), ...(isPinned ? [PINNED] : [])];
  return parts.join(':');
}

function columnsIn(text: string): ColumnChoice {
  const places = text.split(',').flatMap((part): ColumnPlace[] => {
    const [name = '', ...rest] = part.split(':');
    if (name === '') return [];
    const width = rest.find((one) => /^\d{1,4}$/.test(one));
    const place = { name: read(name), width: width === undefined ? null : Number(width) };
    return [rest.includes(PINNED) ? { ...place, isPinned: true } : place];
  });
  return places.length === 0 ? null : places;
}

function sortIn(text: string): SortBy[] {
  const [column = '', direction] = text.split(':');
  if (column === '' || (direction !== 'ascending' && direction !== 'descending')) return [];
  return [{ column: read(column), direction }];
}

/** An address is written by anybody: what cannot be a condition is none. */
function filterIn(text: string): TypedFilter[] {
  const [name = '', is, ...rest] = text.split(':');
  const column = read(name);
  const to = rest.join(':');
  if (column === '') return [];
  if (isBare(is)) return [{ column, is }];
  return to !== '' && (isLikeness(is) || isComparison(is)) ? [{ column, is, to }] : [];
}

/** A column may have any name, and these characters have a meaning here. */
function written(name: string): string {
  return name.replaceAll(/[%:,]/g, encodeURIComponent);
}

function read(name: string): string {
  return name.replaceAll(/%(?:25|3A|2C)/gi, decodeURIComponent);
}

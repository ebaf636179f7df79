import { inject, InjectionToken, type Provider } from '@angular/core';
import type { ConditionName } from './table-view/typed-filter';

/** How the application writes a count. */
export type WriteCount = (count: number) => string;

/** Every text that the components of this package show. Give them in another language with `provideLivejoinWords`. */
export interface LivejoinWords {
  /** What a null is called. */
  readonly null: string;
  readonly loading: string;
  /** As it is written, and how many they are: one row is not rows. */
  readonly rows: (count: string, rows: number) => string;
  readonly rowsOf: (found: string, all: string, rows: number) => string;
  readonly notUpToDate: (rows: string, reason: string) => string;

  /** Of a cell that has changed: what it was. */
  readonly before: (value: string) => string;
  readonly sortHint: string;
  readonly menuOf: (column: string) => string;
  readonly menuHint: string;

  readonly search: string;
  readonly searchIn: (table: string) => string;
  readonly searchHint: string;

  readonly pagesOf: (table: string) => string;
  readonly goToRow: (table: string) => string;
  readonly goToRowHint: string;
  readonly row: string;
  readonly follow: string;
  readonly followHint: string;
  readonly firstPage: string;
  readonly previousPage: string;
  readonly nextPage: string;
  readonly lastPage: string;
  readonly refresh: string;
  readonly refreshHint: string;

  readonly pause: (table: string) => string;
  readonly pauseHint: string;
  readonly resume: string;
  readonly nothingHeld: string;
  readonly held: (updates: number, newRows: number, written: WriteCount) => string;

  readonly viewOf: (table: string) => string;
  readonly searchedFor: (text: string) => string;
  readonly sortedBy: (column: string, direction: 'ascending' | 'descending') => string;
  readonly hiddenColumns: (count: number, written: WriteCount) => string;
  readonly remove: (what: string) => string;
  readonly change: (what: string) => string;
  readonly reset: string;
  readonly resetHint: string;
  readonly notAnswered: (reason: string) => string;

  readonly columnsOf: (table: string) => string;
  readonly columnsHint: string;
  readonly showColumn: (column: string) => string;
  readonly allColumns: string;

  readonly sort: string;
  readonly ascending: string;
  readonly descending: string;
  readonly unsorted: string;
  readonly moveLeft: string;
  readonly moveRight: string;
  readonly pinLeft: string;
  readonly unpin: string;
  readonly fitWidth: string;
  readonly hide: string;
  readonly filter: string;
  readonly zone: string;
  readonly localZone: (name: string) => string;
  readonly close: string;

  /** What a filter asks of a column, as it stands between the column and the value. */
  readonly conditions: Readonly<Record<ConditionName, string>>;
  readonly from: string;
  readonly to: string;
  readonly true: string;
  readonly false: string;
  readonly value: string;
  readonly fieldOf: (column: string, what: string) => string;
  readonly removeFilter: string;
  readonly notANumber: (example: string) => string;
  readonly notADate: string;
  readonly notAMoment: string;
  readonly fromBeyondTo: string;
}

export const ENGLISH: LivejoinWords = {
  null: 'null',
  loading: 'Loading …',
  rows: (count, rows) => `${count} ${named(rows, 'row')}`,
  rowsOf: (found, all, rows) => `${found} of ${all} ${named(rows, 'row')}`,
  notUpToDate: (rows, reason) => `${rows}, not up to date: ${reason}`,

  before: (value) => `Before: ${value}`,
  sortHint: 'Click to sort, with Shift to sort by it too',
  menuOf: (column) => `Sort, filter and arrange ${column}`,
  menuHint: 'Sort, filter, move, pin, hide',

  search: 'Search',
  searchIn: (table) => `Search ${table}`,
  searchHint: 'Rows with this in any of their texts',

  pagesOf: (table) => `Pages of ${table}`,
  goToRow: (table) => `Go to row of ${table}`,
  goToRowHint: 'Go to this row (Enter)',
  row: 'row',
  follow: 'Follow',
  followHint: 'Stay with the newest rows',
  firstPage: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  lastPage: 'Last page',
  refresh: 'Refresh',
  refreshHint: 'Fetch the rows again',

  pause: (table) => `Pause ${table}`,
  pauseHint: 'Hold the rows that are shown',
  resume: 'Resume',
  nothingHeld: 'nothing held back',
  held: (updates, newRows, written) => {
    const counts = [[updates, 'update'] as const, ...(newRows > 0 ? [[newRows, 'new row'] as const] : [])];
    const parts = counts.map(([count, what]) => `${written(count)} ${named(count, what)}`);
    return `${parts.join(', ')} held back`;
  },

  viewOf: (table) => `What is shown of ${table}`,
  searchedFor: (text) => `Search: “${text}”`,
  sortedBy: (column, direction) => `${column} ${direction === 'ascending' ? '↑' : '↓'}`,
  hiddenColumns: (count, written) => `${written(count)} ${named(count, 'column')} hidden`,
  remove: (what) => `Remove ${what}`,
  change: (what) => `Change ${what}`,
  reset: 'Reset',
  resetHint: 'All rows and columns, as they come',
  notAnswered: (reason) => `The server cannot show this: ${reason}`,

  columnsOf: (table) => `Columns of ${table}`,
  columnsHint: 'Show and hide columns',
  showColumn: (column) => `Show ${column}`,
  allColumns: 'Show all',

  sort: 'Sort',
  ascending: 'Ascending',
  descending: 'Descending',
  unsorted: 'Not sorted',
  moveLeft: 'Move left',
  moveRight: 'Move right',
  pinLeft: 'Pin left',
  unpin: 'Unpin',
  fitWidth: 'Fit width to content',
  hide: 'Hide',
  filter: 'Filter',
  zone: 'Times in',
  localZone: (name) => `local time (${name})`,
  close: 'Close',

  conditions: {
    containing: 'contains',
    notContaining: 'does not contain',
    equal: 'equals',
    notEqual: 'does not equal',
    startingWith: 'starts with',
    endingWith: 'ends with',
    blank: 'is empty or null',
    notBlank: 'is not empty',
    null: 'is null',
    notNull: 'is not null',
    greaterOrEqual: '≥',
    lessOrEqual: '≤',
    greater: '>',
    less: '<',
    between: 'is between',
    any: 'is anything',
    true: 'is true',
    false: 'is false',
  },
  from: 'from',
  to: 'to',
  true: 'true',
  false: 'false',
  value: 'value',
  fieldOf: (column, what) => `${column} ${what}`,
  removeFilter: 'Remove filter',
  notANumber: (example) => `This is no number. Write it like ${example}.`,
  notADate: 'This is no date. Write it like 2024-12-31.',
  notAMoment: 'This is no point in time. Write it like 2024-12-31 23:59:59.',
  fromBeyondTo: '“From” is greater than “to”: no row can match.',
};

export const LIVEJOIN_WORDS = new InjectionToken<LivejoinWords>('the texts of livejoin', {
  providedIn: 'root',
  factory: () => ENGLISH,
});

/** Texts in another language, or others in the same; what is left out stays English. */
export function provideLivejoinWords(words: Partial<LivejoinWords>): Provider {
  return { provide: LIVEJOIN_WORDS, useValue: { ...ENGLISH, ...words } };
}

export function injectWords(): LivejoinWords {
  return inject(LIVEJOIN_WORDS);
}

function named(count: number, what: string): string {
  return count === 1 ? what : `${what}s`;
}

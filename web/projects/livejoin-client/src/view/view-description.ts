import { checkedTableName } from '../settings';
import type { Instant } from '../table-server';

export interface SortBy {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/**
 * 64-bit integers beyond what a number holds exactly are given as bigints, points in time as cells have them, decimals
 * and dates as texts: a number for a decimal is the one that JavaScript writes.
 */
export type FilterOperand = string | number | bigint | boolean | Instant;

/** What can be asked of a cell. */
export type FilterCondition =
  | {
      readonly is: 'equal' | 'notEqual' | 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';
      readonly to: FilterOperand;
    }
  | { readonly is: 'oneOf'; readonly to: readonly FilterOperand[] }
  /** In upper or lower case. */
  | { readonly is: 'containing' | 'notContaining' | 'startingWith' | 'endingWith'; readonly to: string }
  /** Blank is null, or an empty text. */
  | { readonly is: 'null' | 'notNull' | 'blank' | 'notBlank' }
  | { readonly is: 'anyOf' | 'allOf'; readonly of: readonly FilterCondition[] };

export type FilterBy = FilterCondition & { readonly column: string };

/** What makes two views the same one: observers whose descriptions say the same share one viewport. */
export interface ViewDescription {
  readonly table: string;
  /**
   * Cells come in this order, and rows are recognised by the keys among them, else by the first. All columns of the
   * table where it is left out.
   */
  readonly columns?: readonly string[] | undefined;
  /** The first one counts most. As the server has them where it is left out. */
  readonly sort?: readonly SortBy[] | undefined;
  /** A row is shown where all of them hold. */
  readonly filter?: readonly FilterBy[] | undefined;
  /** A row is shown where this occurs in any of its texts too, in upper or lower case. */
  readonly search?: string | undefined;
}

/** A description with nothing left out and its table name checked. */
export interface View {
  readonly table: string;
  /** Null for all columns. */
  readonly columns: readonly string[] | null;
  readonly sort: readonly SortBy[];
  readonly filter: readonly FilterBy[];
  /** Empty where nothing is searched for. */
  readonly search: string;
}

export function viewOf({ table, columns, sort, filter, search }: ViewDescription): View {
  return {
    table: checkedTableName(table),
    columns: columns ?? null,
    sort: sort ?? [],
    filter: filter ?? [],
    search: search?.trim() ?? '',
  };
}

/** The same text for descriptions that mean the same: the order of filters does not matter, that of columns does. */
export function keyOf({ table, columns, sort, filter, search }: View): string {
  const orders = sort.map(({ column, direction }) => [column, direction]);
  const conditions = filter.map((by) => JSON.stringify([by.column, conditionKey(by)]));
  return JSON.stringify([table, columns, orders, conditions.sort(), search.toLowerCase()]);
}

/** What a registry knows a view by; another text means another viewport. Throws where the table name cannot be one. */
export function viewKey(description: ViewDescription): string {
  return keyOf(viewOf(description));
}

function conditionKey(condition: FilterCondition): string {
  if ('of' in condition) return JSON.stringify([condition.is, condition.of.map(conditionKey).sort()]);
  return JSON.stringify([condition.is, 'to' in condition ? operands(condition.to) : []]);
}

function operands(to: FilterOperand | readonly FilterOperand[]): string[] {
  const all = Array.isArray(to) ? (to as readonly FilterOperand[]) : [to as FilterOperand];
  // With its type: 1, 1n, "1" and true are different questions.
  return all.map((operand) =>
    typeof operand === 'object' ? operand.epochNanos.toString() : `${typeof operand} ${String(operand)}`,
  );
}

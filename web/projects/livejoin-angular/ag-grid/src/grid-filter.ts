import type {
  DateFilterModel,
  FilterModel,
  ICombinedSimpleModel,
  NumberFilterModel,
  TextFilterModel,
} from 'ag-grid-community';
import {
  instantOf,
  type ColumnKind,
  type FilterBy,
  type FilterCondition,
  type FilterOperand,
  type Instant,
} from 'livejoin-angular';

export interface FilteredColumn {
  /** Undefined where the server has not named it. */
  readonly kind: ColumnKind | undefined;
  /** Whether the ends of its ranges belong to them (AG Grid's `inRangeInclusive`). */
  readonly isInclusive: boolean;
}

type SimpleModel = TextFilterModel | NumberFilterModel | DateFilterModel;
type ColumnModel = SimpleModel | ICombinedSimpleModel<SimpleModel>;

/**
 * AG Grid's filter model in the words of the hub, so that the server filters. A model that the server cannot be asked,
 * such as that of a filter of the application's own, is an error: rows that do not fit it would be shown otherwise.
 *
 * `about` tells of a column what else has to be known.
 */
export function filterOf(model: FilterModel | null, about: (column: string) => FilteredColumn): FilterBy[] {
  return Object.entries(model ?? {}).map(([column, given]) => {
    const condition = conditionOf(given as ColumnModel, about(column));
    if (condition !== null) return { column, ...condition };
    throw new Error(
      `The table server cannot filter ${column} by ${JSON.stringify(given)}: use AG Grid's own text, number or date filter.`,
    );
  });
}

function conditionOf(model: ColumnModel, column: FilteredColumn): FilterCondition | null {
  if ('conditions' in model) {
    const parts = model.conditions.map((part) => conditionOf(part, column));
    const known = parts.filter((part) => part !== null);
    if (known.length < parts.length) return null;
    return { is: model.operator === 'OR' ? 'anyOf' : 'allOf', of: known };
  }
  if (model.type === 'blank') return { is: 'blank' };
  if (model.type === 'notBlank') return { is: 'notBlank' };
  switch (model.filterType) {
    case 'text':
      return textCondition(model);
    case 'number':
      return numberCondition(model, column);
    case 'date':
      return column.kind === 'date' ? dayCondition(model, column) : momentCondition(model, column);
    default:
      return null;
  }
}

const TEXT = {
  contains: 'containing',
  notContains: 'notContaining',
  startsWith: 'startingWith',
  endsWith: 'endingWith',
  equals: 'equal',
  notEqual: 'notEqual',
} as const;

const ORDER = {
  equals: 'equal',
  notEqual: 'notEqual',
  lessThan: 'less',
  lessThanOrEqual: 'lessOrEqual',
  greaterThan: 'greater',
  greaterThanOrEqual: 'greaterOrEqual',
} as const;

function textCondition({ type, filter }: TextFilterModel): FilterCondition | null {
  return isIn(TEXT, type) && typeof filter === 'string' ? { is: TEXT[type], to: filter } : null;
}

function numberCondition(
  { type, filter, filterTo }: NumberFilterModel,
  { kind, isInclusive }: FilteredColumn,
): FilterCondition | null {
  // A decimal is compared with the digits that the person has typed, and not with the number next to them.
  const operand = (given: number): FilterOperand => (kind === 'decimal' ? given.toString() : given);
  if (typeof filter !== 'number') return null;
  if (isIn(ORDER, type)) return { is: ORDER[type], to: operand(filter) };
  if (type !== 'inRange' || typeof filterTo !== 'number') return null;
  return range(operand(filter), operand(filterTo), isInclusive);
}

/** A column of dates has days itself, wherever the person is. */
function dayCondition(
  { type, dateFrom, dateTo }: DateFilterModel,
  { isInclusive }: FilteredColumn,
): FilterCondition | null {
  if (typeof dateFrom !== 'string') return null;
  const day = dateFrom.slice(0, 10);
  if (isIn(ORDER, type)) return { is: ORDER[type], to: day };
  if (type !== 'inRange' || typeof dateTo !== 'string') return null;
  return range(day, dateTo.slice(0, 10), isInclusive);
}

/** AG Grid's dates are days on the calendar of the person at the screen: each lasts from one midnight to the next. */
function momentCondition(
  { type, dateFrom, dateTo }: DateFilterModel,
  { isInclusive }: FilteredColumn,
): FilterCondition | null {
  if (typeof dateFrom !== 'string') return null;
  const begin = midnight(dateFrom, 0);
  const end = midnight(dateFrom, 1);
  switch (type) {
    case 'equals':
      return between(begin, end);
    case 'notEqual':
      return {
        is: 'anyOf',
        of: [{ is: 'less', to: begin }, { is: 'greaterOrEqual', to: end }, { is: 'null' }],
      };
    case 'lessThan':
      return { is: 'less', to: begin };
    case 'greaterThan':
      return { is: 'greaterOrEqual', to: end };
    case 'inRange':
      if (typeof dateTo !== 'string') return null;
      return isInclusive ? between(begin, midnight(dateTo, 1)) : between(end, midnight(dateTo, 0));
    default:
      return null;
  }
}

function range(from: FilterOperand, to: FilterOperand, isInclusive: boolean): FilterCondition {
  return isInclusive
    ? allOf({ is: 'greaterOrEqual', to: from }, { is: 'lessOrEqual', to })
    : allOf({ is: 'greater', to: from }, { is: 'less', to });
}

function between(begin: FilterOperand, end: FilterOperand): FilterCondition {
  return allOf({ is: 'greaterOrEqual', to: begin }, { is: 'less', to: end });
}

function allOf(...of: readonly FilterCondition[]): FilterCondition {
  return { is: 'allOf', of };
}

function midnight(text: string, daysLater: number): Instant {
  const [year = 0, month = 1, day = 1] = text.slice(0, 10).split('-').map(Number);
  return instantOf(BigInt(new Date(year, month - 1, day + daysLater).getTime()) * 1_000_000n);
}

function isIn<T extends object>(table: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(table, key);
}

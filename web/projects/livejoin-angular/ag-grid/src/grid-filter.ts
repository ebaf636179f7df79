import type {
  DateFilterModel,
  FilterModel,
  ICombinedSimpleModel,
  NumberFilterModel,
  TextFilterModel,
} from 'ag-grid-community';
import {
  instantOf,
  type FilterBy,
  type FilterCondition,
  type FilterOperand,
  type Instant,
} from 'livejoin-angular';

type SimpleModel = TextFilterModel | NumberFilterModel | DateFilterModel;
type ColumnModel = SimpleModel | ICombinedSimpleModel<SimpleModel>;

/**
 * AG Grid's filter model in the words of the hub, so that the server filters. A model that the server cannot be asked,
 * such as that of a filter of the application's own, is an error: rows that do not fit it would be shown otherwise.
 *
 * `isInclusive` tells of a column whether the ends of its ranges belong to them (AG Grid's `inRangeInclusive`).
 */
export function filterOf(model: FilterModel | null, isInclusive: (column: string) => boolean): FilterBy[] {
  return Object.entries(model ?? {}).map(([column, given]) => {
    const condition = conditionOf(given as ColumnModel, isInclusive(column));
    if (condition !== null) return { column, ...condition };
    throw new Error(
      `The table server cannot filter ${column} by ${JSON.stringify(given)}: use AG Grid's own text, number or date filter.`,
    );
  });
}

function conditionOf(model: ColumnModel, isInclusive: boolean): FilterCondition | null {
  if ('conditions' in model) {
    const parts = model.conditions.map((part) => conditionOf(part, isInclusive));
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
      return numberCondition(model, isInclusive);
    case 'date':
      return dateCondition(model, isInclusive);
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
  isInclusive: boolean,
): FilterCondition | null {
  if (typeof filter !== 'number') return null;
  if (isIn(ORDER, type)) return { is: ORDER[type], to: filter };
  if (type !== 'inRange' || typeof filterTo !== 'number') return null;
  return isInclusive
    ? allOf({ is: 'greaterOrEqual', to: filter }, { is: 'lessOrEqual', to: filterTo })
    : allOf({ is: 'greater', to: filter }, { is: 'less', to: filterTo });
}

/** AG Grid's dates are days on the calendar of the person at the screen: each lasts from one midnight to the next. */
function dateCondition(
  { type, dateFrom, dateTo }: DateFilterModel,
  isInclusive: boolean,
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
  return typeof key === 'string' && key in table;
}

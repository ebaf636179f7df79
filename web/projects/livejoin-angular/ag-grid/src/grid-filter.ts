import type {
  DateFilterModel,
  FilterModel,
  ICombinedSimpleModel,
  ISimpleFilterModel,
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
  /** AG Grid's `filterParams` of the column. */
  readonly params: FilterParams;
}

/** Those of AG Grid's parameters that say which rows there are. */
export interface FilterParams {
  readonly inRangeInclusive?: boolean;
  readonly includeBlanksInEquals?: boolean;
  readonly includeBlanksInNotEqual?: boolean;
  readonly includeBlanksInLessThan?: boolean;
  readonly includeBlanksInGreaterThan?: boolean;
  readonly includeBlanksInRange?: boolean;
}

/** That of AG Grid 36, with all digits. */
interface BigIntFilterModel extends ISimpleFilterModel {
  readonly filterType?: 'bigint';
  readonly filter?: string | null;
  readonly filterTo?: string | null;
}

type SimpleModel = TextFilterModel | NumberFilterModel | DateFilterModel | BigIntFilterModel;
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
      `The table server cannot filter ${column} by ${JSON.stringify(given)}: use AG Grid's own text, number, bigint or date filter.`,
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
    case 'bigint':
      return withBlanks(numberCondition(model, column), model.type, column);
    case 'date':
      return withBlanks(dateCondition(model, column), model.type, column);
    default:
      return null;
  }
}

/** Whether a filter of numbers or dates lets rows pass that have none: by AG Grid only where its parameters say so. */
function withBlanks(
  condition: FilterCondition | null,
  type: string | null | undefined,
  { params }: FilteredColumn,
): FilterCondition | null {
  if (condition === null) return null;
  const isIncluded = isIn(BLANKS, type) && params[BLANKS[type]] === true;
  if (isIncluded) return { is: 'anyOf', of: [condition, { is: 'null' }] };
  // For the server, what is null is not equal to anything.
  return condition.is === 'notEqual' ? allOf(condition, { is: 'notNull' }) : condition;
}

const BLANKS = {
  equals: 'includeBlanksInEquals',
  notEqual: 'includeBlanksInNotEqual',
  lessThan: 'includeBlanksInLessThan',
  lessThanOrEqual: 'includeBlanksInLessThan',
  greaterThan: 'includeBlanksInGreaterThan',
  greaterThanOrEqual: 'includeBlanksInGreaterThan',
  inRange: 'includeBlanksInRange',
} as const;

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
  // AG Grid's filter of booleans is one of texts with two types of its own.
  if ((type as string) === 'true' || (type as string) === 'false') {
    return { is: 'equal', to: (type as string) === 'true' };
  }
  return isIn(TEXT, type) && typeof filter === 'string' ? { is: TEXT[type], to: filter } : null;
}

function numberCondition(
  { type, filter, filterTo }: NumberFilterModel | BigIntFilterModel,
  { kind, params }: FilteredColumn,
): FilterCondition | null {
  const [from, to] = [filter, filterTo].map((given) => operandOf(given, kind));
  if (from == null) return null;
  if (isIn(ORDER, type)) return { is: ORDER[type], to: from };
  if (type !== 'inRange' || to == null) return null;
  return range(from, to, params.inRangeInclusive === true);
}

/** A decimal is compared with the digits that the person has typed, and not with the number next to them. */
function operandOf(
  given: number | string | null | undefined,
  kind: ColumnKind | undefined,
): FilterOperand | null {
  if (given == null) return null;
  if (kind === 'decimal') return given.toString();
  if (typeof given === 'number') return given;
  return /^[+-]?\d+$/.test(given) ? BigInt(given.replace('+', '')) : null;
}

function dateCondition(model: DateFilterModel, column: FilteredColumn): FilterCondition | null {
  return column.kind === 'date' ? dayCondition(model, column) : momentCondition(model, column);
}

/** A column of dates has days itself, wherever the person is. */
function dayCondition(
  { type, dateFrom, dateTo }: DateFilterModel,
  { params: { inRangeInclusive: isInclusive = false } }: FilteredColumn,
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
  { params: { inRangeInclusive: isInclusive = false } }: FilteredColumn,
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
        of: [
          { is: 'less', to: begin },
          { is: 'greaterOrEqual', to: end },
        ],
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

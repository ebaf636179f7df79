import type { dh } from '@deephaven/jsapi-types';
import { ServerError } from '../errors';
import { nanosText } from '../instant';
import type { FilterCondition, FilterOperand, View } from '../view-description';
import type { DeephavenApi } from './api-loader';
import { columnKind } from './cell-value';

const NANOS = "yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS";

/** Sort, filter and search in the words of the Deephaven API. They reach the server as data, never as a formula. */
export function applyOperations(
  api: DeephavenApi,
  table: dh.Table,
  { sort, filter, search }: Pick<View, 'sort' | 'filter' | 'search'>,
): void {
  const conditions = filter.map((by) => conditionOf(api, columnOf(table, by.column), by));
  if (search !== '') conditions.push(searchFor(api, table, search));
  if (conditions.length > 0) table.applyFilter(conditions);
  if (sort.length > 0) {
    table.applySort(
      sort.map((by) => {
        const order = columnOf(table, by.column).sort();
        return by.direction === 'ascending' ? order.asc() : order.desc();
      }),
    );
  }
}

function columnOf(table: dh.Table, name: string): dh.Column {
  const found = table.columns.find((column) => column.name === name);
  if (found === undefined) throw new ServerError(`There is no column ${name} to sort or filter by.`);
  return found;
}

/** Not the API's own search, which also takes numbers for something to be found, and rounds them. */
function searchFor({ FilterValue }: DeephavenApi, table: dh.Table, text: string): dh.FilterCondition {
  const [first, ...others] = table.columns
    .filter(({ type }) => columnKind(type) === 'text')
    .map((column) => column.filter().containsIgnoreCase(FilterValue.ofString(text)));
  if (first === undefined) throw new ServerError('There is no text in this table to search.');
  return others.length === 0 ? first : first.or(...others);
}

function conditionOf(api: DeephavenApi, column: dh.Column, by: FilterCondition): dh.FilterCondition {
  const cell = column.filter();
  switch (by.is) {
    case 'equal':
      return cell.eq(operandOf(api, by.to));
    case 'notEqual':
      return cell.notEq(operandOf(api, by.to));
    case 'less':
      return cell.lessThan(operandOf(api, by.to));
    case 'lessOrEqual':
      return cell.lessThanOrEqualTo(operandOf(api, by.to));
    case 'greater':
      return cell.greaterThan(operandOf(api, by.to));
    case 'greaterOrEqual':
      return cell.greaterThanOrEqualTo(operandOf(api, by.to));
    case 'oneOf':
      return cell.in(by.to.map((operand) => operandOf(api, operand)));
    case 'containing':
      return cell.containsIgnoreCase(api.FilterValue.ofString(by.to));
    case 'notContaining':
      // The server holds that nothing neither contains a text nor does not.
      return cell.isNull().or(cell.containsIgnoreCase(api.FilterValue.ofString(by.to)).not());
    case 'startingWith':
      return cell.matchesIgnoreCase(api.FilterValue.ofString(`(?s)${quoted(by.to)}.*`));
    case 'endingWith':
      return cell.matchesIgnoreCase(api.FilterValue.ofString(`(?s).*${quoted(by.to)}`));
    case 'null':
      return cell.isNull();
    case 'notNull':
      return cell.isNull().not();
    case 'blank':
      return blank(api, column);
    case 'notBlank':
      return blank(api, column).not();
    case 'anyOf':
    case 'allOf':
      return joined(
        by.is,
        by.of.map((one) => conditionOf(api, column, one)),
      );
  }
}

function blank(api: DeephavenApi, column: dh.Column): dh.FilterCondition {
  const isNull = column.filter().isNull();
  if (columnKind(column.type) !== 'text') return isNull;
  return isNull.or(column.filter().eq(api.FilterValue.ofString('')));
}

function joined(
  how: 'anyOf' | 'allOf',
  [first, ...others]: readonly dh.FilterCondition[],
): dh.FilterCondition {
  if (first === undefined) throw new ServerError(`A filter by ${how} names no condition.`);
  if (others.length === 0) return first;
  return how === 'anyOf' ? first.or(...others) : first.and(...others);
}

/** As a regular expression of the server takes it for text. */
function quoted(text: string): string {
  return `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`;
}

function operandOf({ FilterValue, LongWrapper, i18n }: DeephavenApi, operand: FilterOperand): dh.FilterValue {
  switch (typeof operand) {
    case 'string':
      return FilterValue.ofString(operand);
    case 'boolean':
      return FilterValue.ofBoolean(operand);
    case 'number':
      return FilterValue.ofNumber(operand);
    case 'bigint':
      return FilterValue.ofNumber(LongWrapper.ofString(operand.toString()));
    case 'object':
      // By text, because the API makes points in time from Dates too, but those are cut to milliseconds.
      return FilterValue.ofNumber(
        i18n.DateTimeFormat.parse(NANOS, nanosText(operand), i18n.TimeZone.getTimeZone('UTC')),
      );
  }
}

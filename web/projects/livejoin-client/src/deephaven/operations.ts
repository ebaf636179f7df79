import type { dh } from '@deephaven/jsapi-types';
import { ServerError } from '../errors';
import type { FilterBy, FilterOperand, View } from '../view-description';
import { columnKind } from './cell-value';
import type { DeephavenApi } from './api-loader';

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

function conditionOf(api: DeephavenApi, column: dh.Column, by: FilterBy): dh.FilterCondition {
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
    case 'null':
      return cell.isNull();
    case 'notNull':
      return cell.isNull().not();
  }
}

function operandOf({ FilterValue, LongWrapper }: DeephavenApi, operand: FilterOperand): dh.FilterValue {
  switch (typeof operand) {
    case 'string':
      return FilterValue.ofString(operand);
    case 'boolean':
      return FilterValue.ofBoolean(operand);
    case 'number':
      return FilterValue.ofNumber(operand);
    case 'bigint':
      return FilterValue.ofNumber(LongWrapper.ofString(operand.toString()));
  }
}

import type { dh } from '@deephaven/jsapi-types';
import { ServerError } from '../errors';
import type { FilterBy, FilterOperand, SortBy } from '../view-description';
import type { DeephavenApi } from './api-loader';

/** Sorts and filters in the words of the Deephaven API. They reach the server as data, never as a formula. */
export function applySortAndFilter(
  api: DeephavenApi,
  table: dh.Table,
  sort: readonly SortBy[],
  filter: readonly FilterBy[],
): void {
  if (filter.length > 0) {
    table.applyFilter(filter.map((by) => conditionOf(api, columnOf(table, by.column), by)));
  }
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

import type { FilterBy, FilterCondition, FilterOperand, SortBy, View } from '../view/view-description';

/** A view as the protocol describes it: whatever says nothing is left out. */
export interface WireDescription {
  readonly table: string;
  readonly columns?: readonly string[];
  readonly sort?: readonly SortBy[];
  readonly filter?: readonly ({ readonly column: string } & WireCondition)[];
  readonly search?: string;
}

export interface WireCondition {
  readonly is: FilterCondition['is'];
  readonly to?: WireOperand | readonly WireOperand[];
  readonly of?: readonly WireCondition[];
}

type WireOperand = string | number | boolean;

export function described({ table, columns, sort, filter, search }: View): WireDescription {
  return {
    table,
    ...(columns === null ? {} : { columns }),
    ...(sort.length === 0 ? {} : { sort: sort.map(({ column, direction }) => ({ column, direction })) }),
    ...(filter.length === 0 ? {} : { filter: filter.map(filterOf) }),
    ...(search === '' ? {} : { search }),
  };
}

function filterOf(by: FilterBy): { readonly column: string } & WireCondition {
  return { column: by.column, ...conditionOf(by) };
}

function conditionOf(condition: FilterCondition): WireCondition {
  if ('of' in condition) return { is: condition.is, of: condition.of.map(conditionOf) };
  if (!('to' in condition)) return { is: condition.is };
  if (condition.is === 'oneOf') return { is: condition.is, to: condition.to.map(operandOf) };
  return { is: condition.is, to: operandOf(condition.to) };
}

function operandOf(operand: FilterOperand): WireOperand {
  switch (typeof operand) {
    case 'object':
      return operand.epochNanos.toString();
    case 'bigint':
      return Number.isSafeInteger(Number(operand)) ? Number(operand) : operand.toString();
    case 'number':
      // JSON has no word for these, and would make them null.
      return Number.isFinite(operand) ? operand : String(operand);
    default:
      return operand;
  }
}

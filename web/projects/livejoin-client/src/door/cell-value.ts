import { instantOf } from '../instant';
import type { CellValue, ColumnKind, Instant } from '../table-server';
import { UnreadableError } from './wire';

const DIGITS = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const DATE = /^[+-]?\d{4,9}-\d\d-\d\d$/;

/** What JSON has no numbers for. */
const UNCOUNTABLE: ReadonlyMap<unknown, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** A cell of the wire as a value; throws an UnreadableError where it is none of its kind. */
export function cellValue(raw: unknown, kind: ColumnKind): CellValue {
  if (raw === null) return null;
  const value = valueOf(raw, kind);
  if (value === undefined) throw new UnreadableError(`a cell of type ${kind} that is none`);
  return value;
}

function valueOf(raw: unknown, kind: ColumnKind): CellValue | undefined {
  switch (kind) {
    case 'text':
      return typeof raw === 'string' ? raw : undefined;
    case 'integer':
      return integerOf(raw);
    case 'double':
      return typeof raw === 'number' ? raw : UNCOUNTABLE.get(raw);
    case 'decimal':
      return typeof raw === 'string' && DECIMAL.test(raw) ? raw : undefined;
    case 'boolean':
      return typeof raw === 'boolean' ? raw : undefined;
    case 'instant':
      return pointInTime(raw);
    case 'date':
      return typeof raw === 'string' && DATE.test(raw) ? raw : undefined;
  }
}

function integerOf(raw: unknown): number | bigint | undefined {
  const isText = typeof raw === 'string' && DIGITS.test(raw);
  const number = isText ? Number(raw) : raw;
  if (Number.isSafeInteger(number)) return number as number;
  return isText ? BigInt(raw) : undefined;
}

function pointInTime(raw: unknown): Instant | undefined {
  if (typeof raw !== 'string' || !DIGITS.test(raw)) return undefined;
  const nanos = BigInt(raw);
  // The server counts in 64 bits; beyond them there is no date either.
  return BigInt.asIntN(64, nanos) === nanos ? instantOf(nanos) : undefined;
}

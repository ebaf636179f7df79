import {
  instantFrom,
  type ColumnKind,
  type FilterBy,
  type FilterCondition,
  type FilterOperand,
} from 'livejoin-client';
import { DECIMAL, decimalOf, wholeOf } from './typed-number';

/** What is asked without a value. */
export type Bare = 'null' | 'notNull' | 'blank' | 'notBlank';

/** What is asked of texts only. */
export type Likeness = 'containing' | 'notContaining' | 'startingWith' | 'endingWith';

export type Comparison = 'equal' | 'notEqual' | 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';

/** All that a person can ask of a column, with what is a word of its own on the screen. */
export type ConditionName = Bare | Likeness | Comparison | 'between' | 'any' | 'true' | 'false';

/** A condition as somebody has typed it. What its text means depends on the kind of its column. */
export type TypedFilter =
  | { readonly column: string; readonly is: Bare }
  | { readonly column: string; readonly is: Likeness | Comparison; readonly to: string };

const BARE: readonly unknown[] = ['null', 'notNull', 'blank', 'notBlank'] satisfies Bare[];
const LIKENESSES: readonly unknown[] = [
  'containing',
  'notContaining',
  'startingWith',
  'endingWith',
] satisfies Likeness[];
const COMPARISONS: readonly unknown[] = [
  'equal',
  'notEqual',
  'less',
  'lessOrEqual',
  'greater',
  'greaterOrEqual',
] satisfies Comparison[];

export function isBare(is: unknown): is is Bare {
  return BARE.includes(is);
}

export function isLikeness(is: unknown): is is Likeness {
  return LIKENESSES.includes(is);
}

export function isComparison(is: unknown): is is Comparison {
  return COMPARISONS.includes(is);
}

/** What the server is asked; null where the text is no value of that kind. The kind is undefined while nobody knows it. */
export function conditionOf(typed: TypedFilter, kind: ColumnKind | undefined): FilterBy | null {
  const { column } = typed;
  if (!('to' in typed)) return { column, is: typed.is };
  const { is, to: text } = typed;
  if (isLikeness(is)) return kind === undefined || kind === 'text' ? { column, is, to: text } : null;
  if (kind === 'integer') {
    const asked = integerCondition(is, text);
    return asked === null ? null : { column, ...asked };
  }
  const to = kind === undefined ? guessed(text) : operandOf(text, kind);
  return to === null ? null : { column, is, to };
}

const DATE = /^\d{4,6}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

function operandOf(text: string, kind: Exclude<ColumnKind, 'integer'>): FilterOperand | null {
  switch (kind) {
    case 'text':
      return text;
    case 'double':
      return numberOf(text);
    case 'decimal':
      return decimalOf(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : null;
    case 'date':
      return dateOf(text);
    case 'instant':
      return momentOf(text);
  }
}

/**
 * An integer with all of its digits. One that lies between two integers is asked for by the lower of them, because a
 * number with that many digits would be rounded to another one.
 */
function integerCondition(is: Comparison, text: string): FilterCondition | null {
  const whole = wholeOf(text);
  if (whole === null) return null;
  const to = Number.isSafeInteger(Number(whole.floor)) ? Number(whole.floor) : whole.floor;
  if (whole.isExact) return { is, to };
  switch (is) {
    case 'equal':
      return { is: 'oneOf', to: [] };
    case 'notEqual':
      return { is: 'anyOf', of: [{ is: 'null' }, { is: 'notNull' }] };
    case 'less':
    case 'lessOrEqual':
      return { is: 'lessOrEqual', to };
    case 'greater':
    case 'greaterOrEqual':
      return { is: 'greater', to };
  }
}

/** What it most probably is. Wrong for a moment at most: the columns are on their way. */
function guessed(text: string): FilterOperand {
  if (DATE.test(text)) return text;
  const number = numberOf(text);
  if (number !== null && number.toString() === text) return number;
  return (
    momentOf(text) ?? operandOf(text, 'boolean') ?? (DECIMAL.test(text) ? decimalOf(text) : null) ?? text
  );
}

function numberOf(text: string): number | null {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}

/** Not the 31st of February. */
function dateOf(text: string): string | null {
  if (!DATE.test(text)) return null;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null;
}

/** As UTC where it has no zone: a link means the same for everybody. */
function momentOf(text: string): FilterOperand | null {
  const [, day, minute, seconds = ':00', zone = 'Z'] = MOMENT.exec(text.trim()) ?? [];
  if (day === undefined || minute === undefined || dateOf(day) === null) return null;
  try {
    return instantFrom(`${day}T${minute}${seconds}${zone}`);
  } catch {
    return null;
  }
}

import { instantFrom, type ColumnKind, type FilterBy, type FilterOperand } from 'livejoin-angular';

/** A condition as somebody has typed it. What its text means depends on the kind of its column. */
export type TypedFilter =
  | { readonly column: string; readonly is: 'null' | 'notNull' }
  | { readonly column: string; readonly is: 'containing' | Comparison; readonly to: string };

export type Comparison = 'equal' | 'greaterOrEqual' | 'lessOrEqual';

const COMPARISONS: readonly unknown[] = ['equal', 'greaterOrEqual', 'lessOrEqual'] satisfies Comparison[];

export function isComparison(is: unknown): is is Comparison {
  return COMPARISONS.includes(is);
}

/** What the server is asked; null where the text is no value of that kind. The kind is undefined while nobody knows it. */
export function conditionOf(typed: TypedFilter, kind: ColumnKind | undefined): FilterBy | null {
  if (!('to' in typed)) return typed;
  const { column, is, to: text } = typed;
  if (is === 'containing') return kind === undefined || kind === 'text' ? { column, is, to: text } : null;
  const to = kind === undefined ? guessed(text) : operandOf(text, kind);
  return to === null ? null : { column, is, to };
}

const DIGITS = /^[+-]?\d+$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const DATE = /^\d{4,6}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

function operandOf(text: string, kind: ColumnKind): FilterOperand | null {
  switch (kind) {
    case 'text':
      return text;
    case 'integer':
      return DIGITS.test(text) ? integerOf(text) : numberOf(text);
    case 'double':
      return numberOf(text);
    case 'decimal':
      return decimalOf(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : null;
    case 'date':
      return DATE.test(text) ? text : null;
    case 'instant':
      return momentOf(text);
  }
}

/** What it most probably is. Wrong for a moment at most: the columns are on their way. */
function guessed(text: string): FilterOperand {
  if (DATE.test(text)) return text;
  const number = numberOf(text);
  if (number !== null && number.toString() === text) return number;
  return momentOf(text) ?? operandOf(text, 'boolean') ?? decimalOf(text) ?? text;
}

function integerOf(text: string): FilterOperand {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text.replace('+', ''));
}

function numberOf(text: string): number | null {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}

/** All of the digits, as the protocol writes them: `.5` is `0.5`, and `12.` is `12`. */
function decimalOf(text: string): string | null {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === '' && fraction === '') {
    const written = numberOf(text)?.toString() ?? '';
    // What was typed with an exponent is written without, where that is how JavaScript does it.
    return written !== '' && written !== text && DECIMAL.test(written) ? decimalOf(written) : null;
  }
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** As UTC where it has no zone, because that is how the tables show it. */
function momentOf(text: string): FilterOperand | null {
  const [, minute, seconds = ':00', zone = 'Z'] = MOMENT.exec(text) ?? [];
  if (minute === undefined) return null;
  try {
    return instantFrom(`${minute}${seconds}${zone}`);
  } catch {
    return null;
  }
}

import type { CellValue, ColumnKind } from 'livejoin-client';
import { visibleText } from '../visible-text';

export interface CellText {
  readonly text: string;
  /** The value as it is written elsewhere, where the text leaves something out of it. */
  readonly exact: string | null;
}

/** Digits as JavaScript and the wire write them: a sign, a whole part, and a fraction where there is one. */
const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/** As few as an amount of money has. */
const LEAST_DIGITS = 2;

/** How a value reads in a grid, with all of its digits. Null has a word of its own, as an empty cell is an empty text. */
export function cellText(value: CellValue, kind: ColumnKind): CellText {
  if (value === null) return { text: 'null', exact: null };
  if (typeof value === 'object') return { text: value.iso.slice(0, -1).replace('T', ' '), exact: value.iso };
  const text = exactText(value);
  if (kind === 'double') return { text: grouped(text, LEAST_DIGITS), exact: null };
  if (isNumeric(kind)) return { text: grouped(text, 0), exact: null };
  return { text: visibleText(text), exact: null };
}

/** The value itself, without separators. Null is nothing, as an empty text is. */
export function exactText(value: CellValue): string {
  if (value === null) return '';
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'object' ? value.iso : value.toString();
}

export function isNumeric(kind: ColumnKind): boolean {
  return kind === 'integer' || kind === 'double' || kind === 'decimal';
}

/** With a comma before every three digits of the whole part. What has an exponent, or is no number, stays as it is. */
function grouped(text: string, leastDigits: number): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = fraction.padEnd(leastDigits, '0');
  return `${sign}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}${digits === '' ? '' : `.${digits}`}`;
}

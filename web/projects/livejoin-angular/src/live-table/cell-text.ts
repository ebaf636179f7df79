import type { CellValue, ColumnKind } from 'livejoin-client';
import type { CellFormat } from '../formats';
import { visibleText } from '../visible-text';
import { momentText, offsetText } from './moment-text';
import { numberText } from './number-text';

export interface CellText {
  readonly text: string;
  /** The value as it is written elsewhere, where the text leaves something out of it. */
  readonly exact: string | null;
}

/** As few as an amount of money has. */
const LEAST_DIGITS = 2;

const PLAIN: CellFormat = { locale: 'en', zone: 'UTC' };

/** How a value reads in a grid, with all of its digits. Null has a word of its own, as an empty cell is an empty text. */
export function cellText(value: CellValue, kind: ColumnKind, format: CellFormat = PLAIN): CellText {
  if (value === null) return { text: 'null', exact: null };
  if (typeof value === 'object') {
    const offset = offsetText(Number(value.epochNanos / 1_000_000n), format.zone);
    const text = momentText(value, format.zone);
    return { text, exact: format.zone === 'UTC' ? value.iso : `${text} ${offset}\n${value.iso}` };
  }
  const text = exactText(value);
  if (kind === 'double') return { text: numberText(text, LEAST_DIGITS, format.locale), exact: null };
  if (isNumeric(kind)) return { text: numberText(text, 0, format.locale), exact: null };
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

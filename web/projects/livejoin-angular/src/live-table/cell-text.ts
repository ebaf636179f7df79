import { exactText, type CellValue, type ColumnKind } from 'livejoin-client';
import type { CellFormat } from '../formats';
import { visibleText } from '../visible-text';
import { momentNamed, momentText } from './moment-text';
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
    return { text: momentText(value, format.zone), exact: momentNamed(value, format.zone) };
  }
  const text = exactText(value);
  if (kind === 'double') return { text: numberText(text, LEAST_DIGITS, format.locale), exact: null };
  if (isNumeric(kind)) return { text: numberText(text, 0, format.locale), exact: null };
  return { text: visibleText(text), exact: null };
}

export function isNumeric(kind: ColumnKind): boolean {
  return kind === 'integer' || kind === 'double' || kind === 'decimal';
}

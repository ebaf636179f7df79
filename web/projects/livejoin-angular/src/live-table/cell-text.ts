import type { CellValue, ColumnKind } from 'livejoin-client';
import { visibleText } from '../visible-text';

export interface CellText {
  readonly text: string;
  /** The exact value, where the text is a rounded or rearranged one. */
  readonly exact: string | null;
}

const INTEGER = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const DECIMAL = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** How a value reads in a grid. Null has a word of its own, because an empty cell is an empty text. */
export function cellText(value: CellValue, kind: ColumnKind): CellText {
  if (value === null) return { text: 'null', exact: null };
  if (typeof value === 'object') {
    return { text: value.iso.slice(0, 19).replace('T', ' '), exact: value.iso };
  }
  if (typeof value === 'bigint') return { text: INTEGER.format(value), exact: null };
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (kind === 'integer') return { text: INTEGER.format(value), exact: null };
    const isRounded = Math.abs(value * 100 - Math.round(value * 100)) > 1e-6;
    return { text: DECIMAL.format(value), exact: isRounded ? value.toString() : null };
  }
  return { text: visibleText(value.toString()), exact: null };
}

/** The value itself, without rounding or separators. Null is nothing, as an empty text is. */
export function exactText(value: CellValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.iso : value.toString();
}

export function isNumeric(kind: ColumnKind): boolean {
  return kind === 'integer' || kind === 'decimal';
}

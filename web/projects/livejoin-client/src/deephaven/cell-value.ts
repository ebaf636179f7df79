import { instantOf } from '../instant';
import type { CellValue, ColumnKind } from '../table-server';

const KINDS: Readonly<Record<string, ColumnKind>> = {
  long: 'integer',
  int: 'integer',
  short: 'integer',
  byte: 'integer',
  double: 'decimal',
  float: 'decimal',
  boolean: 'boolean',
  'java.lang.Boolean': 'boolean',
  'java.time.Instant': 'instant',
};

export function columnKind(javaType: string): ColumnKind {
  return KINDS[javaType] ?? 'text';
}

/** Turns what the Deephaven API hands out for a cell into a plain value that compares by content. */
export function cellValue(raw: unknown, kind: ColumnKind): CellValue {
  if (raw === null || raw === undefined) return null;
  switch (kind) {
    case 'integer':
      // Longs arrive as wrappers whose asNumber() rounds; their text is exact.
      return exactInteger(textOf(raw));
    case 'instant':
      return instantOf(BigInt(textOf(raw)));
    case 'decimal':
      return typeof raw === 'number' ? raw : Number(textOf(raw));
    case 'boolean':
      return typeof raw === 'boolean' ? raw : textOf(raw) === 'true';
    case 'text':
      return textOf(raw);
  }
}

function textOf(raw: unknown): string {
  return String(raw);
}

function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

import type { CellValue } from 'livejoin-client';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Whether a value is more than the one before it; null where neither is, or they cannot be compared. */
export function directionOf(from: CellValue, to: CellValue, isDecimal: boolean): 'rise' | 'fall' | null {
  const [before, after] = isDecimal ? scaled(from, to) : [countable(from), countable(to)];
  if (before === null || after === null) return null;
  if (after > before) return 'rise';
  return after < before ? 'fall' : null;
}

function countable(value: CellValue): number | bigint | null {
  if (typeof value === 'object') return value?.epochNanos ?? null;
  return typeof value === 'number' || typeof value === 'bigint' ? value : null;
}

/** Decimals with as many digits behind the point as the longer one has, so that integers can stand for them. */
function scaled(from: CellValue, to: CellValue): readonly [bigint | null, bigint | null] {
  const digits = Math.max(...[from, to].map((value) => partsOf(value)?.[3]?.length ?? 0));
  const whole = (value: CellValue): bigint | null => {
    const [, sign = '', digitsBefore, fraction = ''] = partsOf(value) ?? [];
    return digitsBefore === undefined
      ? null
      : BigInt(`${sign}${digitsBefore}${fraction.padEnd(digits, '0')}`);
  };
  return [whole(from), whole(to)];
}

function partsOf(value: CellValue): RegExpExecArray | null {
  return DECIMAL.exec(typeof value === 'string' ? value : '');
}

/** With what numbers are written in a place. */
export interface Signs {
  readonly whole: Intl.NumberFormat;
  readonly point: string;
  /** Between groups of digits; empty where there is nothing. */
  readonly group: string;
  readonly minus: string;
  readonly digits: readonly string[];
}

/** As JavaScript and the wire write them: a sign, a whole part, a fraction and an exponent where there is one. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;

const known = new Map<string, Signs>();

/**
 * Digits as they are written in a place, all of them: with its groups, its point, its digits. An exponent stays one,
 * because the zeros that it stands for would say nothing. What is no number stays as it is.
 */
export function numberText(digits: string, leastDigits: number, locale: string): string {
  const [, sign = '', whole, fraction = '', exponent] = NUMBER.exec(digits) ?? [];
  if (whole === undefined) return digits;
  const signs = signsOf(locale);
  const least = exponent === undefined ? leastDigits : 0;
  const rest = fraction.padEnd(least, '0').replaceAll(/\d/g, (digit) => signs.digits[Number(digit)] ?? digit);
  const text = `${sign === '' ? '' : signs.minus}${signs.whole.format(BigInt(whole))}`;
  return `${text}${rest === '' ? '' : `${signs.point}${rest}`}${exponent === undefined ? '' : `e${exponent}`}`;
}

export function signsOf(locale: string): Signs {
  const before = known.get(locale);
  if (before !== undefined) return before;
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(-1_234_567.5);
  const partOf = (type: Intl.NumberFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const signs: Signs = {
    whole: new Intl.NumberFormat(locale),
    point: partOf('decimal'),
    group: partOf('group'),
    minus: partOf('minusSign'),
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
  };
  known.set(locale, signs);
  return signs;
}

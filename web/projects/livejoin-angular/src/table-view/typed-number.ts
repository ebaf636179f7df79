import { numberText, signsOf } from '../live-table/number-text';

export const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** The integer at or below a number that somebody has typed, and whether it is that number. */
export interface WholePart {
  readonly floor: bigint;
  readonly isExact: boolean;
}

/** All of the digits, as the protocol writes them: `.5` is `0.5`, and `12.` is `12`. Null where it is no number. */
export function decimalOf(text: string): string | null {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === '' && fraction === '') {
    const written = text.trim() === '' ? '' : String(Number(text));
    // What was typed with an exponent is written without, where that is how JavaScript does it.
    return written !== text && /\d/.test(written) && DECIMAL.test(written) ? decimalOf(written) : null;
  }
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function wholeOf(text: string): WholePart | null {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimalOf(text) ?? '') ?? [];
  if (whole === undefined) return null;
  const isExact = !/[1-9]/.test(fraction);
  const towardsZero = BigInt(`${sign}${whole}`);
  return { floor: sign === '-' && !isExact ? towardsZero - 1n : towardsZero, isExact };
}

/** Marks of direction, which some places write around a sign. */
const DIRECTION = /[\u200E\u200F\u061C]/g;
/** Of a group of digits: what is typed by hand stands for what is printed. */
const ALIKE: readonly RegExp[] = [/\s/, /['’]/];

/**
 * A number as somebody writes it in a place, in the digits, sign and point of the protocol; null where it is none there.
 * A point that is a separator of thousands in that place is one: it never becomes another number without a word.
 */
export function numberTyped(text: string, locale: string): string | null {
  const { digits, group, minus, point } = signsOf(locale);
  const plain = text
    .trim()
    .replace(DIRECTION, '')
    .replaceAll(/\P{ASCII}/gu, (sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign))
    .replace(minus.replace(DIRECTION, ''), '-')
    .replace('\u2212', '-');
  const [, sign = '', mantissa = '', exponent = ''] = /^([+-]?)(.*?)(e[+-]?\d+)?$/i.exec(plain) ?? [];
  // Where it separates nothing else, a point is what a keyboard for numbers types.
  const points = group === '.' || mantissa.includes(point) ? point : '.';
  const [whole = '', fraction = '', ...more] = mantissa.split(points);
  const together = ungrouped(whole, group);
  if (together === null || more.length > 0 || !/^\d*$/.test(fraction) || together + fraction === '')
    return null;
  return `${sign}${together}${fraction === '' ? '' : `.${fraction}`}${exponent.toLowerCase()}`;
}

/** What stands in a link, as it is written in a place. */
export function numberShown(text: string, locale: string): string {
  return numberText(decimalOf(text) ?? text, 0, locale);
}

/** Digits without what separates them; null where that stands where nobody would write it. */
function ungrouped(whole: string, group: string): string | null {
  if (/^\d*$/.test(whole)) return whole;
  if (group === '') return null;
  const between = ALIKE.find((alike) => alike.test(group)) ?? group;
  const groups = whole.split(between);
  // In some places they are of two digits, but the last of them.
  const isWritten = groups.every((digits, place) => {
    if (place === 0) return /^\d{1,3}$/.test(digits);
    return place === groups.length - 1 ? /^\d{3}$/.test(digits) : /^\d{2,3}$/.test(digits);
  });
  return isWritten ? groups.join('') : null;
}

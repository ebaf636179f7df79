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

const UNITS: readonly (readonly [limitMs: number, unitMs: number, name: string])[] = [
  [60_000, 1_000, 's'],
  [3_600_000, 60_000, 'min'],
  [172_800_000, 3_600_000, 'h'],
  [Infinity, 86_400_000, 'd'],
];

/**
 * A length of time in its one most telling unit: `< 1 s`, `42 s`, `7 min`, `3 h`, `12 d`.
 * Its spaces do not break, so that no line ends between a number and its unit.
 */
export function durationText(ms: number): string {
  if (ms < 1_000) return '<\u00a01\u00a0s';
  for (const [limit, unit, name] of UNITS) {
    if (ms < limit) return `${String(Math.floor(ms / unit))}\u00a0${name}`;
  }
  return '';
}

import type { DeclaredSource } from 'livejoin-angular';

export interface KeptText {
  readonly text: string;
  readonly hint: string;
}

/** What a table keeps of its source, for whoever wonders why somebody is in it twice, or only once. */
export function keptText(source: DeclaredSource | null): KeptText | null {
  if (source === null) return null;
  return source.keep === 'all'
    ? { text: 'every event', hint: 'A log: each event is a row of its own, so the same key may come again' }
    : { text: 'newest per key', hint: 'Each key is one row, with the newest event of it' };
}

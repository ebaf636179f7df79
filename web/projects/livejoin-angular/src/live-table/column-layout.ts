import type { Column } from 'livejoin-client';
import type { ShownColumn } from './shown-columns';

const TRACKS: Readonly<Record<Column['kind'], string>> = {
  text: 'minmax(7.5rem, 1.6fr)',
  instant: 'minmax(12.5rem, 1fr)',
  double: 'minmax(6.5rem, 1fr)',
  decimal: 'minmax(7.5rem, 1fr)',
  integer: 'minmax(4rem, 0.6fr)',
  boolean: 'minmax(5rem, 0.6fr)',
  date: 'minmax(6.5rem, 0.6fr)',
};

/** A key needs no room to grow: what grows are the texts after it. */
const KEY_TRACK = 'minmax(6.25rem, 1fr)';

/** One `grid-template-columns` for the head and all rows. */
export function columnTracks(
  columns: readonly Omit<ShownColumn, 'name'>[],
  keys: ReadonlySet<number>,
): string {
  return columns
    .map(({ kind, width, position }) => {
      if (width !== null) return `${String(width)}px`;
      return keys.has(position) ? KEY_TRACK : TRACKS[kind];
    })
    .join(' ');
}

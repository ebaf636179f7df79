import type { LiveRow, RowWindow } from 'livejoin-client';
import type { GridRow } from './grid-rows';

/**
 * What a grid that follows the end draws while the newest rows are still on their way: the newest that are here, else
 * (null) what it has drawn already. A table that grows faster than rows can be asked for would flicker otherwise.
 * `arrived` are neighbours, as the rows of one viewport are. What is drawn of another generation never stays.
 */
export function steadyWindow(
  wanted: RowWindow,
  size: number,
  arrived: readonly LiveRow[],
  drawn: readonly Pick<GridRow, 'index' | 'cells'>[],
  isSameGeneration: boolean,
): RowWindow | null {
  const oldest = arrived[0]?.index ?? Infinity;
  const newest = arrived.at(-1)?.index ?? -1;
  const shown = drawn.at(-1);
  // Before anything is drawn, the oldest rows are all that is here, and nobody asked for them.
  const canWait = shown !== undefined && drawn.every(({ cells }) => cells !== null);
  if (size === 0 || !canWait || (oldest <= wanted.first && wanted.last <= newest)) return wanted;
  const first = newest - (wanted.last - wanted.first);
  if (!isSameGeneration) return newest < 0 ? wanted : { first: Math.max(oldest, first), last: newest };
  return newest > shown.index && oldest <= first ? { first, last: newest } : null;
}

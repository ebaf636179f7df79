import { tablesOf, type Declaration, type ViewState } from 'livejoin-angular';

/** How far a table is; undefined where nobody watches it yet. */
export type Stages = ReadonlyMap<string, ViewState['kind']>;

/**
 * When the tables of another declaration take the place of those on the screen: at once where all of them are here,
 * soon where some are (a table may be hidden from who is looking, and would never come), else not yet. While a table
 * server is loading, the last rows stay.
 */
export function succession(shown: Declaration | null, told: Declaration | null, stages: Stages): When {
  if (shown === null || told === null) return 'now';
  const former = tablesOf(shown);
  const next = tablesOf(told);
  const coming = next.filter((table) => !former.includes(table));
  if (coming.every((table) => isHere(stages.get(table)))) return 'now';
  return next.some((table) => stages.get(table) === 'live') ? 'soon' : 'later';
}

export type When = 'now' | 'soon' | 'later';

function isHere(stage: ViewState['kind'] | undefined): boolean {
  return stage !== undefined && stage !== 'loading';
}

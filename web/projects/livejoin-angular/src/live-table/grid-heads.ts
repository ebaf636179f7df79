import type { FilterBy, SortBy } from 'livejoin-client';
import type { LivejoinWords } from '../words';
import { isNumeric } from './cell-text';
import type { ColumnMark } from './grid-events';
import type { ShownColumn } from './shown-columns';

export interface GridHead {
  readonly name: string;
  readonly hint: string;
  readonly isNumeric: boolean;
  /** In which zone its times are; null where it has none. */
  readonly zone: string | null;
  readonly colour: string | null;
  readonly direction: SortBy['direction'] | null;
  /** Which of several sorts it is; null where there is only one. */
  readonly rank: number | null;
  readonly isFiltered: boolean;
}

export function gridHeads(
  shown: readonly ShownColumn[],
  view: { readonly sort: readonly SortBy[]; readonly filter: readonly FilterBy[] },
  about: {
    readonly markOf: (column: string) => ColumnMark | null;
    readonly zone: string;
    readonly isSortable: boolean;
    readonly words: Pick<LivejoinWords, 'sortHint'>;
  },
): readonly GridHead[] {
  return shown.map(({ name, kind }) => {
    const mark = about.markOf(name);
    const rank = view.sort.findIndex(({ column }) => column === name);
    return {
      name,
      hint: [mark?.hint ?? name, ...(about.isSortable ? [about.words.sortHint] : [])].join('\n'),
      isNumeric: isNumeric(kind),
      zone: kind === 'instant' ? about.zone : null,
      colour: mark?.colour ?? null,
      direction: view.sort[rank]?.direction ?? null,
      rank: view.sort.length > 1 && rank !== -1 ? rank + 1 : null,
      isFiltered: view.filter.some(({ column }) => column === name),
    };
  });
}

/** Where the pinned columns stay, in pixels from the left; null for the others. */
export function pinnedLefts(shown: readonly ShownColumn[]): readonly (number | null)[] {
  let left = 0;
  return shown.map(({ isPinned, width }) => {
    if (isPinned !== true) return null;
    const own = left;
    left += width ?? 0;
    return own;
  });
}

/** What they cover of the others together. */
export function pinnedWidth(shown: readonly ShownColumn[]): number {
  return shown.reduce((sum, { isPinned, width }) => sum + (isPinned === true ? (width ?? 0) : 0), 0);
}

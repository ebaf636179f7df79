import { computed, type Signal } from '@angular/core';
import { injectLiveTable, type LiveTable } from 'livejoin-angular';
import { recordsOf, type RowRecord } from './records';

export interface NewestRows {
  readonly table: LiveTable;
  /** The newest first, also of those with the same time. */
  readonly rows: Signal<readonly RowRecord[]>;
}

/** How many more may come before the window has to be moved. */
const AHEAD = 16;

/** The last rows of a log, whose order is that of their arrival. Call it in an injection context. */
export function injectNewestRows(name: string, count: number): NewestRows {
  const table: LiveTable = injectLiveTable(name, {
    window: () => {
      const size = table.size();
      return { first: Math.max(0, size - count), last: size + AHEAD };
    },
  });
  const rows = computed(() => recordsOf(table.snapshot()).reverse().slice(0, count));
  return { table, rows };
}

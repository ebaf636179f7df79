import type { dh } from '@deephaven/jsapi-types';

/** The one-row table that says which generation all tables show, and its column. */
export const STATUS_TABLE = 'orchestrator_status';
const STATUS_COLUMN = 'generation';

/** What the label is called in a labelled table; never shown to anybody. */
export const LABEL = 'LivejoinGeneration';

/**
 * A table with the current generation in every row. The server joins it, so rows and label always come from the same
 * update cycle, and the exported tables need no column for it. The caller closes the result, and may close `table`.
 */
export function labelled(table: dh.Table, status: dh.Table): Promise<dh.Table> {
  // Without a column to match, the one row of the status goes with every row.
  return table.naturalJoin(status, [], [`${LABEL}=${STATUS_COLUMN}`]);
}

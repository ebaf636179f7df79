import type { LiveRow } from 'livejoin-client';

/** A row that somebody means: where it was last seen, and which one it is. The id is null while it is not at hand. */
export interface RowSpot {
  readonly row: number;
  readonly id: number | null;
}

/** The rows that are at hand, found by both. */
export interface ArrivedRows {
  readonly byIndex: ReadonlyMap<number, LiveRow>;
  readonly byId: ReadonlyMap<number, LiveRow>;
}

export function arrivedRows(rows: readonly LiveRow[]): ArrivedRows {
  return {
    byIndex: new Map(rows.map((row) => [row.index, row])),
    byId: new Map(rows.map((row) => [row.id, row])),
  };
}

export function spotAt(row: number, { byIndex }: ArrivedRows): RowSpot {
  return { row, id: byIndex.get(row)?.id ?? null };
}

/**
 * The same row in what is at hand by now, wherever it has moved to. One that is not at hand stays where it was, and is
 * whatever is there when that place comes into view again. Null where the row is gone.
 */
export function followed({ row, id }: RowSpot, arrived: ArrivedRows): RowSpot | null {
  const moved = id === null ? undefined : arrived.byId.get(id);
  if (moved !== undefined) return { row: moved.index, id: moved.id };
  const here = arrived.byIndex.get(row);
  if (here === undefined) return { row, id: null };
  return id === null ? { row, id: here.id } : null;
}

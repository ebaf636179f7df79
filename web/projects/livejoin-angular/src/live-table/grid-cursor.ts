import { computed, linkedSignal, signal, untracked } from '@angular/core';
import { arrivedRows, followed, spotAt, type ArrivedRows, type RowSpot } from './row-spot';

/** The heads are the row above the first one. */
export const HEAD_ROW = -1;

/** Beyond this many rows a selection is a range of places: not all of its rows can be at hand. */
const MOST_FOLLOWED = 2_000;

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface CellRange {
  readonly first: CellPlace;
  readonly last: CellPlace;
}

interface Place {
  /** The last row stays the last one, however the table grows. */
  readonly row: number | 'last';
  readonly column: number;
}

/** Where somebody has gone, and from where they have selected on the way. */
interface Wish {
  readonly place: Place;
  readonly anchor: CellPlace | null;
}

interface Tracked {
  readonly row: RowSpot | 'last';
  readonly anchor: RowSpot | null;
  /** The rows of the selection, each for itself; null where they are too many. */
  readonly picked: readonly RowSpot[] | null;
}

const NO_ROWS = arrivedRows([]);

/**
 * The one cell of a grid that has the focus, and the cells from it to where a selection began. Both are rows and not
 * places: they go with their rows when these move, and are never outside of the table.
 */
export class GridCursor {
  readonly #wish = signal<Wish | null>(null);
  readonly #tracked = linkedSignal<{ wish: Wish | null; arrived: ArrivedRows }, Tracked | null>({
    source: () => ({ wish: this.#wish(), arrived: this.arrived() }),
    computation: ({ wish, arrived }, before) => {
      if (wish === null) return null;
      const known = before?.source.wish === wish ? before.value : null;
      return known === null ? this.#begun(wish, arrived) : continued(known, arrived);
    },
  });

  constructor(
    private readonly rows: () => number,
    private readonly columns: () => number,
    private readonly arrived: () => ArrivedRows = () => NO_ROWS,
  ) {}

  /** Null until somebody has come to the grid. */
  readonly cell = computed<CellPlace | null>(
    () => {
      const wish = this.#wish();
      const tracked = this.#tracked();
      if (wish === null || tracked === null) return null;
      const row = tracked.row === 'last' ? 'last' : tracked.row.row;
      return this.#inside({ row, column: wish.place.column });
    },
    { equal: (a, b) => a?.row === b?.row && a?.column === b?.column },
  );

  /** From the first to the last selected cell; null where it is the focused one only. */
  readonly range = computed<CellRange | null>(() => {
    const cell = this.cell();
    const anchor = this.#wish()?.anchor ?? null;
    const tracked = this.#tracked();
    if (cell === null || anchor === null || tracked === null || cell.row === HEAD_ROW) return null;
    const from = this.#inside({ row: tracked.anchor?.row ?? anchor.row, column: anchor.column });
    const rows = tracked.picked?.map(({ row }) => row) ?? [from.row, cell.row];
    if (rows.length === 0) return null;
    return {
      first: { row: Math.min(...rows), column: Math.min(from.column, cell.column) },
      last: { row: Math.max(...rows), column: Math.max(from.column, cell.column) },
    };
  });

  /** The selected rows; null where it is all of them between the ends of the range. */
  readonly #pickedRows = computed(() => {
    const picked = this.#tracked()?.picked ?? null;
    return picked === null ? null : new Set(picked.map(({ row }) => row));
  });

  readonly isAtEnd = computed(() => this.#tracked()?.row === 'last');

  /** Selects everything from the cell before, where `extends` is true. */
  moveTo(place: Place, extend = false): void {
    const before = untracked(this.cell);
    const tracked = untracked(this.#tracked);
    const wish = untracked(this.#wish);
    const kept = wish?.anchor ?? null;
    const inside = place.row === 'last' ? place : this.#inside(place);
    let anchor: CellPlace | null = null;
    if (extend && kept !== null) anchor = { row: tracked?.anchor?.row ?? kept.row, column: kept.column };
    else if (extend && before !== null && before.row !== HEAD_ROW) anchor = before;
    this.#wish.set({ place: inside, anchor });
    // At once, so that it is about the rows that are on the screen, and not about those that come next.
    untracked(this.#tracked);
  }

  isSelected(row: number, column: number): boolean {
    const range = this.range();
    if (range === null || !isInside(range, row, column)) return false;
    return this.#pickedRows()?.has(row) ?? true;
  }

  /** The rows of the selection from top to bottom, or that of the focused cell; empty where there is none. */
  selectedRows(): readonly number[] {
    const cell = this.cell();
    if (cell === null || cell.row === HEAD_ROW) return [];
    const range = this.range();
    if (range === null) return [cell.row];
    const picked = this.#pickedRows();
    if (picked !== null) return [...picked].sort((a, b) => a - b);
    return Array.from({ length: range.last.row - range.first.row + 1 }, (_, at) => range.first.row + at);
  }

  /** Where a key leads from here; null where it leads nowhere. Down from the last row is the end, whatever comes. */
  target(key: string, isControl: boolean, pageRows: number): Place | null {
    const { row, column } = this.cell() ?? { row: 0, column: 0 };
    const lastRow = this.rows() - 1;
    const lastColumn = this.columns() - 1;
    const downTo = (next: number): Place => ({ row: next > lastRow ? 'last' : next, column });
    switch (key) {
      case 'ArrowUp':
        return { row: row - 1, column };
      case 'ArrowDown':
        return downTo(row + 1);
      case 'ArrowLeft':
        return { row, column: column - 1 };
      case 'ArrowRight':
        return { row, column: column + 1 };
      case 'PageUp':
        return { row: row === HEAD_ROW ? row : Math.max(0, row - pageRows), column };
      case 'PageDown':
        return downTo(Math.max(0, row) + pageRows);
      case 'Home':
        return { row: isControl ? 0 : row, column: 0 };
      case 'End':
        return { row: isControl ? 'last' : row, column: lastColumn };
      default:
        return null;
    }
  }

  #begun({ place, anchor }: Wish, arrived: ArrivedRows): Tracked {
    const row = place.row === 'last' ? 'last' : spotAt(place.row, arrived);
    if (anchor === null || place.row === HEAD_ROW) return { row, anchor: null, picked: null };
    const end = place.row === 'last' ? this.rows() - 1 : place.row;
    const first = Math.min(anchor.row, end);
    const count = Math.abs(anchor.row - end) + 1;
    const picked =
      count > MOST_FOLLOWED ? null : Array.from({ length: count }, (_, at) => spotAt(first + at, arrived));
    return { row, anchor: spotAt(anchor.row, arrived), picked };
  }

  #inside({ row, column }: Place): CellPlace {
    const lastRow = this.rows() - 1;
    return {
      row: row === 'last' ? lastRow : Math.min(lastRow, Math.max(HEAD_ROW, row)),
      column: Math.max(0, Math.min(this.columns() - 1, column)),
    };
  }
}

/** The focus stays where its row was when that is gone; a selection is less by what is gone of it. */
function continued({ row, anchor, picked }: Tracked, arrived: ArrivedRows): Tracked {
  return {
    row: row === 'last' ? row : kept(row, arrived),
    anchor: anchor === null ? null : kept(anchor, arrived),
    picked: picked?.flatMap((spot) => followed(spot, arrived) ?? []) ?? null,
  };
}

function kept(spot: RowSpot, arrived: ArrivedRows): RowSpot {
  return followed(spot, arrived) ?? spotAt(spot.row, arrived);
}

function isInside({ first, last }: CellRange, row: number, column: number): boolean {
  return first.row <= row && row <= last.row && first.column <= column && column <= last.column;
}

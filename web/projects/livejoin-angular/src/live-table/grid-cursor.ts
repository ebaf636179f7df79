import { computed, signal } from '@angular/core';

/** The heads are the row above the first one. */
export const HEAD_ROW = -1;

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

/**
 * The one cell of a grid that has the focus, and the cells from it to where a selection began. It is a place in the
 * table and not a row: what is there may change, and it is never outside.
 */
export class GridCursor {
  readonly #place = signal<Place | null>(null);
  readonly #anchor = signal<CellPlace | null>(null);

  constructor(
    private readonly rows: () => number,
    private readonly columns: () => number,
  ) {}

  /** Null until somebody has come to the grid. */
  readonly cell = computed<CellPlace | null>(
    () => {
      const place = this.#place();
      return place === null ? null : this.#inside(place);
    },
    { equal: (a, b) => a?.row === b?.row && a?.column === b?.column },
  );

  /** The selected cells; null where it is the focused one only. */
  readonly range = computed<CellRange | null>(() => {
    const cell = this.cell();
    const anchor = this.#anchor();
    if (cell === null || anchor === null || cell.row === HEAD_ROW) return null;
    const from = this.#inside(anchor);
    return {
      first: { row: Math.min(from.row, cell.row), column: Math.min(from.column, cell.column) },
      last: { row: Math.max(from.row, cell.row), column: Math.max(from.column, cell.column) },
    };
  });

  readonly isAtEnd = computed(() => this.#place()?.row === 'last');

  /** Selects everything from the cell before, where `extends` is true. */
  moveTo(place: Place, extend = false): void {
    const before = this.cell();
    if (!extend) this.#anchor.set(null);
    else if (this.#anchor() === null && before !== null && before.row !== HEAD_ROW) this.#anchor.set(before);
    this.#place.set(place.row === 'last' ? place : this.#inside(place));
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

  #inside({ row, column }: Place): CellPlace {
    const lastRow = this.rows() - 1;
    return {
      row: row === 'last' ? lastRow : Math.min(lastRow, Math.max(HEAD_ROW, row)),
      column: Math.max(0, Math.min(this.columns() - 1, column)),
    };
  }
}

export function isInside(range: CellRange, row: number, column: number): boolean {
  const { first, last } = range;
  return first.row <= row && row <= last.row && first.column <= column && column <= last.column;
}

import type { LiveRow } from 'livejoin-client';

/** What a head says about its column beyond the name. */
export interface ColumnMark {
  /** Any CSS colour, for a line below the head. */
  readonly colour: string;
  readonly hint: string;
}

/** Somebody wants the rows sorted by this column: instead of the others, or after them. */
export interface SortPress {
  readonly column: string;
  readonly isAdded: boolean;
}

/** A row was clicked, in that column. */
export interface RowPress {
  readonly row: LiveRow;
  readonly column: string;
}

/** What is selected: the rows that are at hand, and the columns. */
export interface GridSelection {
  readonly rows: readonly LiveRow[];
  readonly columns: readonly string[];
}

/** Somebody wants the menu of a column, which belongs beside that element. */
export interface MenuWish {
  readonly column: string;
  readonly beside: HTMLElement;
}

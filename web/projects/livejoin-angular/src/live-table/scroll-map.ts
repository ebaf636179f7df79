/** Browsers stop counting somewhere above 16 million pixels; beyond this height the scroll bar stands for more rows. */
const MAX_HEIGHT = 10_000_000;

export interface ScrollSpace {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of the area in which rows are visible. */
  readonly bodyHeight: number;
}

/** Height of all rows together, as far as a browser can scroll it. */
export function contentHeight({ rows, rowHeight }: ScrollSpace): number {
  return Math.min(MAX_HEIGHT, rows * rowHeight);
}

/** The row, with fraction, that is at the top when the last row is at the bottom. */
export function lastTopRow({ rows, rowHeight, bodyHeight }: ScrollSpace): number {
  return Math.max(0, rows - bodyHeight / rowHeight);
}

/** True where one pixel of scrolling is more than one pixel of rows. */
export function isCompressed(space: ScrollSpace): boolean {
  return space.rows * space.rowHeight > MAX_HEIGHT;
}

/** Proportional over the whole way, so that the ends are reached exactly, however many rows there are. */
export function topRowAt(scrollTop: number, space: ScrollSpace): number {
  const way = contentHeight(space) - space.bodyHeight;
  if (way <= 0) return 0;
  return Math.min(1, Math.max(0, scrollTop / way)) * lastTopRow(space);
}

export function scrollTopFor(topRow: number, space: ScrollSpace): number {
  const last = lastTopRow(space);
  if (last === 0) return 0;
  return (topRow / last) * Math.max(0, contentHeight(space) - space.bodyHeight);
}

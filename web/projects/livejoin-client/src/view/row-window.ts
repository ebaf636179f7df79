/** Rows `first` to `last`, both included, counted from 0. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
}

export function sameWindow(a: RowWindow | null, b: RowWindow | null): boolean {
  return a?.first === b?.first && a?.last === b?.last;
}

export function contains(outer: RowWindow, inner: RowWindow): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

export function lengthOf({ first, last }: RowWindow): number {
  return last - first + 1;
}

/**
 * The one viewport that serves several windows: their hull, as long as it has at most `cap` rows.
 * `windows` are in the order in which they were asked for; beyond the cap the newest one is certain to be served, and
 * older ones are taken in while they fit.
 */
export function coveringWindow(windows: readonly RowWindow[], cap: number): RowWindow | null {
  let hull: RowWindow | null = null;
  for (const window of [...windows].reverse()) {
    if (hull === null) {
      hull = { first: window.first, last: Math.min(window.last, window.first + cap - 1) };
      continue;
    }
    const wider: RowWindow = {
      first: Math.min(hull.first, window.first),
      last: Math.max(hull.last, window.last),
    };
    if (lengthOf(wider) <= cap) hull = wider;
  }
  return hull;
}

/** A window that reaches beyond the end of the table, moved up until it is filled or begins with the first row. */
export function filledUp(window: RowWindow, size: number): RowWindow {
  const length = lengthOf(window);
  const first = Math.max(0, Math.min(window.first, size - length));
  return { first, last: first + length - 1 };
}

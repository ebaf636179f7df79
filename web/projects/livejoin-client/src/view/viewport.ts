import { contains, coveringWindow, filledUp, lengthOf, sameWindow, type RowWindow } from './row-window';

/** What is asked for where nobody wants rows: one row keeps size, state and generation coming. */
const NO_ROWS: RowWindow = { first: 0, last: 0 };

/**
 * What to ask the server for, so that whoever wants `window` is shown rows of a table of `size` rows: those of the
 * window, those that may come to it when the table grows, and where it reaches beyond the end, as many before it as
 * fill it up. Never more than `cap` rows.
 */
export function viewportFor(window: RowWindow, size: number, cap: number): RowWindow {
  const last = Math.min(window.last, window.first + cap - 1);
  const shown = Math.min(lengthOf(window), Math.ceil(cap / 2));
  const first = Math.max(0, Math.min(window.first, size - shown));
  // What does not exist yet costs nothing to ask for, and need not be asked for when it comes.
  if (window.first >= size) return { first, last: first + Math.min(cap, 2 * shown) - 1 };
  return { first: Math.max(first, last - cap + 1), last };
}

/**
 * What the server is asked for. It follows from what is wanted and how many rows there are, and is put right at each
 * change of either: it can never stay where it shows less than it should.
 */
export class Viewport {
  #wanted: readonly RowWindow[] = [];
  #size: number | null = null;
  #asked = NO_ROWS;

  /** `cap` is how many rows it may have. */
  constructor(private readonly cap: number) {}

  get asked(): RowWindow {
    return this.#asked;
  }

  /** What is wanted of it: the windows in the order in which they were asked for. */
  want(windows: readonly RowWindow[]): void {
    const isSame = (window: RowWindow, place: number): boolean =>
      sameWindow(window, this.#wanted[place] ?? null);
    if (windows.length === this.#wanted.length && windows.every(isSame)) return;
    this.#wanted = windows;
    this.#asked = this.#fitting();
  }

  /** The table has this many rows. Whether what is asked for still has all of them that are wanted. */
  sized(size: number): boolean {
    this.#size = size;
    const fitting = this.#fitting();
    // Rows that do not exist are no reason to move, or every row that comes or goes would be one.
    if (contains(this.#asked, existing(fitting, size))) return true;
    this.#asked = fitting;
    return false;
  }

  /** Whether a window gets all rows that there are for it. */
  covers(window: RowWindow): boolean {
    if (this.#size === null) return contains(this.#asked, window);
    return contains(this.#asked, existing(filledUp(window, this.#size), this.#size));
  }

  /** The next table may have any number of rows. */
  forget(): void {
    this.#size = null;
    this.#asked = this.#fitting();
  }

  #fitting(): RowWindow {
    const size = this.#size;
    const all = size === null ? this.#wanted : this.#wanted.map((each) => viewportFor(each, size, this.cap));
    return coveringWindow(all, this.cap) ?? NO_ROWS;
  }
}

function existing({ first, last }: RowWindow, size: number): RowWindow {
  return { first, last: Math.min(last, size - 1) };
}

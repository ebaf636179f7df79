import { computed, signal } from '@angular/core';
import type { RowWindow } from 'livejoin-client';
import { lastTopRow, type ScrollSpace } from './scroll-map';

/** Before a grid has measured its own: that of 1.75 rem in a browser where nobody has changed the size of text. */
export const ROW_HEIGHT = 28;

/** Rows are asked for in blocks, so that the viewport moves once per block and not with every pixel. */
const BLOCK = 32;
const AHEAD = 16;

/** Rows that do not exist yet cost nothing to ask for, so following asks for many at once and thus seldom. */
const FOLLOW_BLOCK = 128;

/**
 * Where in a table a grid is. The row at the top is the truth and the scroll bar follows it, so the place survives a
 * reconnect and can be exact where the scroll bar is too coarse.
 *
 * The tables are logs that grow at the end, so the place is the end itself, until somebody moves up: then it is a row.
 * Whoever moves down to the end follows it again.
 */
export class GridPosition {
  readonly #asked = signal(0);
  readonly #following = signal(true);
  readonly following = this.#following.asReadonly();
  readonly bodyHeight = signal(0);
  /** As high as a line of the grid's text needs it; the grid measures it. */
  readonly rowHeight = signal(ROW_HEIGHT);

  constructor(private readonly size: () => number) {}

  readonly space = computed<ScrollSpace>(() => ({
    rows: this.size(),
    rowHeight: this.rowHeight(),
    bodyHeight: this.bodyHeight(),
  }));

  /** Rows that have room, with a fraction. */
  readonly #fitting = computed(() => this.bodyHeight() / this.rowHeight());

  /** The row at the top, with the fraction of it that is scrolled away. */
  readonly top = computed(() => {
    const last = lastTopRow(this.space());
    return this.following() ? last : Math.min(this.#asked(), last);
  });

  /** Rows that fit completely: what a page button moves by. */
  readonly pageRows = computed(() => Math.max(1, Math.floor(this.#fitting())));

  /** Rows of which at least a part is visible. */
  readonly visible = computed<RowWindow>(() => {
    const first = Math.floor(this.top());
    const last = Math.ceil(this.top() + this.#fitting()) - 1;
    return { first, last: Math.max(first, Math.min(last, this.size() - 1)) };
  });

  /** Rows of which at least half is visible: what a person would say is on the screen. */
  readonly readable = computed<RowWindow>(() => {
    const first = Math.round(this.top());
    const end = Math.round(this.top() + this.#fitting());
    return { first, last: Math.max(first, Math.min(end, this.size()) - 1) };
  });

  /** Rows to have at hand. It does not end at the table's size, so that rows added later need no new request. */
  readonly window = computed<RowWindow>(
    () => {
      const start = Math.max(0, Math.floor(this.top()) - AHEAD);
      const shown = this.#fitting();
      if (this.following()) {
        const first = Math.floor(start / FOLLOW_BLOCK) * FOLLOW_BLOCK;
        // Counted from the first row, so that both ends move in the same request.
        return { first, last: first + 2 * FOLLOW_BLOCK + Math.ceil((shown + AHEAD) / BLOCK) * BLOCK - 1 };
      }
      const end = this.top() + shown + AHEAD;
      return { first: Math.floor(start / BLOCK) * BLOCK, last: Math.ceil(end / BLOCK) * BLOCK - 1 };
    },
    { equal: (a, b) => a.first === b.first && a.last === b.last },
  );

  readonly atStart = computed(() => this.top() === 0);
  readonly atEnd = computed(() => this.top() >= lastTopRow(this.space()));

  /** Stays with the end, however far it moves. */
  follow(): void {
    this.#following.set(true);
  }

  /** Stays with the rows that are shown now. */
  stand(): void {
    this.#standAt(this.top());
  }

  moveTo(row: number): void {
    if (row >= lastTopRow(this.space())) this.follow();
    else this.#standAt(row);
  }

  moveBy(rows: number): void {
    const row = this.top() + rows;
    if (rows < 0) this.#standAt(row);
    else this.moveTo(row);
  }

  /** Stays where that row can be read completely, and moves no further than needed. */
  reveal(row: number): void {
    const rows = this.#fitting();
    const top = this.top();
    this.#standAt(row < top ? row : Math.max(top, row + 1 - rows));
  }

  first(): void {
    this.#standAt(0);
  }

  previous(): void {
    this.#standAt(Math.ceil(this.top()) - this.pageRows());
  }

  next(): void {
    this.moveTo(Math.floor(this.top()) + this.pageRows());
  }

  last(): void {
    this.follow();
  }

  /** Even where all rows fit: who went to the first row stays there when the table outgrows the grid. */
  #standAt(row: number): void {
    this.#asked.set(Math.max(0, row));
    this.#following.set(false);
  }
}

import { computed, signal } from '@angular/core';
import type { RowWindow } from 'livejoin-angular';
import { lastTopRow, type ScrollSpace } from './scroll-map';

export const ROW_HEIGHT = 28;

/** Rows are asked for in blocks, so that the viewport moves once per block and not with every pixel. */
const BLOCK = 32;
const AHEAD = 16;

/**
 * Where in a table a grid is. The row at the top is the truth and the scroll bar follows it, so the place survives a
 * reconnect and can be exact where the scroll bar is too coarse.
 */
export class GridPosition {
  readonly #asked = signal(0);
  readonly bodyHeight = signal(0);

  constructor(private readonly size: () => number) {}

  readonly space = computed<ScrollSpace>(() => ({
    rows: this.size(),
    rowHeight: ROW_HEIGHT,
    bodyHeight: this.bodyHeight(),
  }));

  /** The row at the top, with the fraction of it that is scrolled away. */
  readonly top = computed(() => Math.min(this.#asked(), lastTopRow(this.space())));

  /** Rows that fit completely: what a page button moves by. */
  readonly pageRows = computed(() => Math.max(1, Math.floor(this.bodyHeight() / ROW_HEIGHT)));

  /** Rows of which at least a part is visible. */
  readonly visible = computed<RowWindow>(() => {
    const first = Math.floor(this.top());
    const last = Math.ceil(this.top() + this.bodyHeight() / ROW_HEIGHT) - 1;
    return { first, last: Math.max(first, Math.min(last, this.size() - 1)) };
  });

  /** Rows of which at least half is visible: what a person would say is on the screen. */
  readonly readable = computed<RowWindow>(() => {
    const first = Math.round(this.top());
    const end = Math.round(this.top() + this.bodyHeight() / ROW_HEIGHT);
    return { first, last: Math.max(first, Math.min(end, this.size()) - 1) };
  });

  /** Rows to have at hand. It does not end at the table's size, so that rows added later need no new request. */
  readonly window = computed<RowWindow>(
    () => {
      const first = Math.max(0, Math.floor((Math.floor(this.top()) - AHEAD) / BLOCK) * BLOCK);
      const end = this.top() + this.bodyHeight() / ROW_HEIGHT + AHEAD;
      return { first, last: Math.ceil(end / BLOCK) * BLOCK - 1 };
    },
    { equal: (a, b) => a.first === b.first && a.last === b.last },
  );

  readonly atStart = computed(() => this.top() === 0);
  readonly atEnd = computed(() => this.top() >= lastTopRow(this.space()));

  moveTo(row: number): void {
    this.#asked.set(Math.max(0, Math.min(row, lastTopRow(this.space()))));
  }

  moveBy(rows: number): void {
    this.moveTo(this.top() + rows);
  }

  first(): void {
    this.moveTo(0);
  }

  previous(): void {
    this.moveTo(Math.ceil(this.top()) - this.pageRows());
  }

  next(): void {
    this.moveTo(Math.floor(this.top()) + this.pageRows());
  }

  last(): void {
    this.moveTo(Infinity);
  }
}

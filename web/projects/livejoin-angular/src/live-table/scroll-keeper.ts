import { afterRenderEffect } from '@angular/core';
import type { GridPosition } from './grid-position';
import { isCompressed, scrollTopFor, topRowAt } from './scroll-map';

/** Where a scroll bar is, and how far it could go. */
interface Bar {
  readonly top: number;
  readonly height: number;
  readonly room: number;
}

/** What there is to do with a scroll bar. */
interface Placing {
  /** Where to put it; null where it may stay. */
  readonly to: number | null;
  /** Whether somebody has just moved it. */
  readonly isTheirs: boolean;
}

/** Keeps the scroll bar of a grid and its position the same: the position is the truth, but a person moves the bar. */
export class ScrollKeeper {
  /** Where the scroll bar is known to be. Any other place that it reports is a person's doing. */
  #placed = 0;
  /** Where it was before: a thumb that is held at the end reports this one while the end moves on. */
  #placedBefore = 0;

  constructor(
    private readonly position: () => GridPosition,
    private readonly headHeight: () => number,
    private readonly scroller: () => HTMLElement,
  ) {}

  /** Another height pushes the scroll bar, which is nobody's wish. */
  resized(): void {
    this.#placed = this.scroller().scrollTop;
  }

  /**
   * Puts the scroll bar where the position is, after whatever is drawn. All grids of a page read, then write, then read,
   * so that a browser lays the page out once between them, and not once for each. Call it in an injection context.
   */
  attend(): void {
    afterRenderEffect({
      earlyRead: () => this.#look(),
      write: (placing) => {
        this.#put(placing());
        return placing();
      },
      read: (placing) => {
        this.#placedAt(placing());
      },
    });
  }

  #look(): Placing {
    const wanted = scrollTopFor(this.position().top(), this.position().space());
    const bar = this.#bar();
    // Somebody has moved it and the browser is about to say so: a row that arrives just now must not pull it back.
    if (this.#isMoved(bar) && !isAtEnd(bar)) return { to: null, isTheirs: true };
    // A browser rounds what it is given, so less than a pixel is no difference.
    return { to: Math.abs(bar.top - wanted) > 1 ? wanted : null, isTheirs: false };
  }

  #put({ to }: Placing): void {
    if (to !== null) this.scroller().scrollTop = to;
  }

  /** Remembers where the browser has put it. */
  #placedAt({ isTheirs }: Placing): void {
    if (isTheirs) return;
    const bar = this.#bar();
    if (this.#isMoved(bar)) this.#placedBefore = this.#placed;
    this.#placed = bar.top;
  }

  /** The scroll bar says that it has moved. */
  scrolled(): void {
    const bar = this.#bar();
    if (!this.#isMoved(bar)) return;
    this.#placed = bar.top;
    // At 0 there was no end that could be held: before the first rows came, everything had room.
    const isHeld = this.#placed > 0 && Math.abs(this.#placed - this.#placedBefore) < 1;
    const wasEnd = this.position().following() && isHeld;
    if (wasEnd || isAtEnd(bar)) this.position().last();
    else this.position().moveTo(topRowAt(this.#placed, this.position().space()));
  }

  /** Where a pixel of the scroll bar is many rows, the wheel still moves by rows. */
  turned(event: WheelEvent): void {
    if (event.ctrlKey || event.deltaY === 0) return;
    // At once and not with the scrolling that comes of it, so that a row that arrives between cannot pull back.
    if (event.deltaY < 0 && !this.position().atStart()) this.position().stand();
    if (!isCompressed(this.position().space())) return;
    event.preventDefault();
    const isLines = event.deltaMode === WheelEvent.DOM_DELTA_LINE;
    this.position().moveBy(isLines ? event.deltaY : event.deltaY / this.position().rowHeight());
  }

  #bar(): Bar {
    const { scrollTop: top, scrollHeight: height, clientHeight: room } = this.scroller();
    return { top, height, room };
  }

  #isMoved({ top, room }: Bar): boolean {
    // Another height pushes the scroll bar before anybody is told of it.
    const isSameHeight = Math.abs(room - this.headHeight() - this.position().bodyHeight()) < 1;
    return isSameHeight && Math.abs(top - this.#placed) >= 1;
  }
}

/** At the end that is drawn, the only one that a person can reach: the table's own may have gone on since. */
function isAtEnd({ top, height, room }: Bar): boolean {
  return top + room >= height - 1;
}

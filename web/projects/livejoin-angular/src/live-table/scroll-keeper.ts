import type { GridPosition } from './grid-position';
import { isCompressed, scrollTopFor, topRowAt } from './scroll-map';

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

  /** Puts the scroll bar where the position is. */
  readonly place = (): void => {
    const element = this.scroller();
    const wanted = scrollTopFor(this.position().top(), this.position().space());
    // Somebody has moved it and the browser is about to say so: a row that arrives just now must not pull it back.
    if (this.#isMoved() && !this.#isAtEnd()) return;
    // A browser rounds what it is given, so less than a pixel is no difference.
    if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted;
    if (this.#isMoved()) this.#placedBefore = this.#placed;
    this.#placed = element.scrollTop;
  };

  /** The scroll bar says that it has moved. */
  scrolled(): void {
    if (!this.#isMoved()) return;
    this.#placed = this.scroller().scrollTop;
    // At 0 there was no end that could be held: before the first rows came, everything had room.
    const isHeld = this.#placed > 0 && Math.abs(this.#placed - this.#placedBefore) < 1;
    const wasEnd = this.position().following() && isHeld;
    if (wasEnd || this.#isAtEnd()) this.position().last();
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

  #isMoved(): boolean {
    const { scrollTop, clientHeight } = this.scroller();
    // Another height pushes the scroll bar before anybody is told of it.
    const isSameHeight = Math.abs(clientHeight - this.headHeight() - this.position().bodyHeight()) < 1;
    return isSameHeight && Math.abs(scrollTop - this.#placed) >= 1;
  }

  /** At the end that is drawn, the only one that a person can reach: the table's own may have gone on since. */
  #isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller();
    return scrollTop + clientHeight >= scrollHeight - 1;
  }
}

import { afterRenderEffect, untracked, type ElementRef } from '@angular/core';

/** Room for the sign of a sort and for the button of the menu. */
const HEAD_ROOM = 28;

/** With the fraction of a pixel that it has. */
export function heightOf({ nativeElement }: ElementRef<HTMLElement>): number {
  return nativeElement.getBoundingClientRect().height;
}

/** By its name, which may be any text: so not by a selector. */
export function headOf(grid: HTMLElement, column: string): HTMLElement | null {
  const heads = [...grid.querySelectorAll<HTMLElement>('[data-head]')];
  return heads.find(({ dataset }) => dataset['head'] === column) ?? null;
}

/**
 * How far to scroll sideways so that a head is seen, as far as needed and not behind the pinned columns, which cover what
 * is below them; null where it is.
 */
export function leftToReveal(
  grid: HTMLElement,
  { offsetLeft, offsetWidth }: HTMLElement,
  covered: number,
): number | null {
  if (grid.scrollWidth <= grid.clientWidth) return null;
  const before = grid.scrollLeft;
  const left = offsetLeft - covered;
  const right = offsetLeft + offsetWidth - grid.clientWidth;
  const isBeyond = right > Math.min(before, left);
  const to = isBeyond ? Math.min(right, left) : Math.min(before, left);
  return to === before ? null : to;
}

/**
 * Scrolls a grid sideways where another column has the focus; only that moves it. All grids of a page read before any of
 * them is moved. Call it in an injection context.
 */
export function attendColumn(
  column: () => number,
  leftOf: (column: number) => number | null,
  grid: () => HTMLElement,
): void {
  afterRenderEffect({
    earlyRead: () => {
      const focused = column();
      return untracked(() => ({ left: leftOf(focused) }));
    },
    write: (to) => {
      const { left } = to();
      if (left !== null) grid().scrollLeft = left;
    },
  });
}

/** How wide a column has to be for its head and for what is drawn of it. */
export function contentWidth(grid: HTMLElement, column: string): number {
  const head = headOf(grid, column);
  const all = [...grid.querySelectorAll<HTMLElement>('[role=gridcell]')];
  const cells = all.filter(({ dataset }) => dataset['column'] === column);
  const name = head?.querySelector('.name');
  const widths = cells.map((cell) => textWidth(cell) + paddingOf(cell));
  const ownWidth = head === null ? 0 : textWidth(name ?? head) + paddingOf(head) + HEAD_ROOM;
  return Math.ceil(Math.max(ownWidth, ...widths)) + 1;
}

/** Also of text that is cut. */
function textWidth(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().width;
}

function paddingOf(element: Element): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return parseFloat(paddingLeft) + parseFloat(paddingRight);
}

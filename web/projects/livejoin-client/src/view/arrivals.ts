import type { Generation, Page } from '../table-server';

/** What has arrived and is not on the screen yet: at most one page, the newest. */
export class Arrivals {
  #page: Page | null = null;
  #isFilling = false;

  /** The generation of the page that waits; undefined where none does. */
  get generation(): Generation | null | undefined {
    return this.#page?.generation;
  }

  /**
   * Takes a page, and tells whether it waits to be shown. A page that would leave a hole where rows are on the screen,
   * because the table has shrunk under the viewport, is passed over: the one that fills it is on its way. That one is
   * taken as it is, or a table that goes on shrinking would never be seen to do so.
   */
  take(page: Page, leavesHole: boolean): boolean {
    const isPassedOver = leavesHole && !this.#isFilling;
    this.#isFilling = isPassedOver;
    if (!isPassedOver) this.#page = page;
    return !isPassedOver;
  }

  /** The page that waits goes to the screen. */
  release(): Page | null {
    const page = this.#page;
    this.#page = null;
    return page;
  }

  /** What was on its way does not come any more. */
  clear(): void {
    this.#page = null;
    this.#isFilling = false;
  }
}

import type { RowWindow } from './row-window';
import type { ViewObserver } from './view-observer';
import type { ViewSnapshot } from './view-snapshot';

/** Those who watch a view, and what they want of it: in the order in which they last asked for a window. */
export class Audience {
  readonly #observers = new Set<ViewObserver>();

  get isEmpty(): boolean {
    return this.#observers.size === 0;
  }

  get windows(): readonly RowWindow[] {
    return [...this.#observers].flatMap(({ window }) => (window === null ? [] : [window]));
  }

  /** Somebody who comes, or who wants another window and thereby counts most. */
  heard(observer: ViewObserver): void {
    this.#observers.delete(observer);
    this.#observers.add(observer);
  }

  dismiss(observer: ViewObserver): void {
    this.#observers.delete(observer);
  }

  show(snapshotFor: (window: RowWindow | null) => ViewSnapshot): void {
    for (const observer of [...this.#observers]) observer.snapshot.set(snapshotFor(observer.window));
  }
}

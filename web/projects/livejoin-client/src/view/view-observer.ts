import type { RowWindow } from './row-window';
import { Subscribable } from '../subscribable';
import type { ViewSnapshot } from './view-snapshot';

/** What an observer may ask of the view behind it. */
export interface ObservedView {
  refresh(): void;
  windowChanged(observer: ViewObserver): void;
  release(observer: ViewObserver): void;
}

/** One viewer of a view, with a window of its own. Whoever asked for it calls `leave`. */
export class ViewObserver {
  readonly snapshot: Subscribable<ViewSnapshot>;
  #window: RowWindow | null = null;
  #view: ObservedView | null;

  constructor(view: ObservedView, initial: ViewSnapshot) {
    this.#view = view;
    this.snapshot = new Subscribable(initial);
  }

  /** Null for a viewer of columns, size and state only. */
  get window(): RowWindow | null {
    return this.#window;
  }

  setWindow(window: RowWindow | null): void {
    if (this.#view === null) return;
    this.#window = window;
    this.#view.windowChanged(this);
  }

  /** Fetches the table again; the rows stay until the fresh ones are here. */
  refresh(): void {
    this.#view?.refresh();
  }

  leave(): void {
    const view = this.#view;
    this.#view = null;
    view?.release(this);
  }
}

import { computed, DOCUMENT, inject, Injectable, signal, type Signal } from '@angular/core';
import { AS_IT_IS, choiceIn, writeChoice, type ViewChoice } from './view-choice';

/**
 * How tables are seen, in the address of the page, so that a link shows the same. Whatever else the address says stays as
 * it is, and can be kept there in the same way.
 */
@Injectable({ providedIn: 'root' })
export class ViewAddress {
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #search = signal(this.#window?.location.search ?? '');
  readonly #query = computed(() => new URLSearchParams(this.#search()));

  choiceOf(table: () => string): Signal<ViewChoice> {
    return computed(() => choiceIn(this.#query(), table()), {
      equal: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    });
  }

  choose(table: string, choice: ViewChoice): void {
    this.#rewrite((address) => {
      writeChoice(address, table, choice);
    });
  }

  /** Tables that are no longer there: nobody wants to see them in any way. */
  forget(tables: readonly string[]): void {
    if (tables.length === 0) return;
    this.#rewrite((address) => {
      for (const table of tables) writeChoice(address, table, AS_IT_IS);
    });
  }

  /** Something else that the address says; null where it does not. */
  valueOf(name: string): Signal<string | null> {
    return computed(() => this.#query().get(name));
  }

  write(name: string, value: string | null): void {
    this.#rewrite((address) => {
      if (value === null) address.delete(name);
      else address.set(name, value);
    });
  }

  #rewrite(change: (address: URLSearchParams) => void): void {
    const address = new URLSearchParams(this.#search());
    change(address);
    const text = address.toString();
    const search = text === '' ? '' : `?${text}`;
    this.#search.set(search);
    if (this.#window === null) return;
    // Not a step in the history: going back must leave the page and not undo twenty sorts.
    const { history, location } = this.#window;
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`);
  }
}

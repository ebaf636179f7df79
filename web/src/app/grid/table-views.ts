import { computed, Injectable, signal, type Signal } from '@angular/core';
import { AS_IT_IS, choiceIn, writeChoice, type ViewChoice } from './view-choice';

const MAXIMISED = 'table';

/** Sort, filter and the maximised table. They live in the address, so that a link shows the same. */
@Injectable({ providedIn: 'root' })
export class TableViews {
  readonly #address = signal(location.search);
  readonly #query = computed(() => new URLSearchParams(this.#address()));
  readonly maximised = computed(() => this.#query().get(MAXIMISED));

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
      for (const table of tables) {
        writeChoice(address, table, AS_IT_IS);
        if (address.get(MAXIMISED) === table) address.delete(MAXIMISED);
      }
    });
  }

  /** Null shows all tables again. */
  maximise(table: string | null): void {
    this.#rewrite((address) => {
      if (table === null) address.delete(MAXIMISED);
      else address.set(MAXIMISED, table);
    });
  }

  #rewrite(change: (address: URLSearchParams) => void): void {
    const address = new URLSearchParams(this.#address());
    change(address);
    const text = address.toString();
    const search = text === '' ? '' : `?${text}`;
    this.#address.set(search);
    // Not a step in the history: going back must leave the page and not undo twenty sorts.
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`);
  }
}

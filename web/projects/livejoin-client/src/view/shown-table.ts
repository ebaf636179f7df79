import type { Column, Generation, Page } from '../table-server';
import { keyPlaces } from './key-places';
import { RowReader, type LiveRow } from './live-row';
import { filledUp, type RowWindow } from './row-window';
import type { View } from './view-description';
import type { ViewSnapshot, ViewState } from './view-snapshot';

/** What is on the screen of one view: the rows of the last page that was shown, and how good they still are. */
export class ShownTable {
  readonly #reader = new RowReader();
  #state: ViewState = { kind: 'loading', reason: null };
  #columns: readonly Column[] = [];
  #keys: readonly number[] = [];
  #size = 0;
  #generation: Generation | null = null;
  #receivedAt: number | null = null;

  constructor(private readonly view: View) {}

  get state(): ViewState {
    return this.#state;
  }

  get size(): number {
    return this.#size;
  }

  /** Also of rows that are marked as old: a swap may have happened while the connection was away. */
  get generation(): Generation | null {
    return this.#generation;
  }

  get receivedAt(): number | null {
    return this.#receivedAt;
  }

  /** The server was heard of this table. */
  heard(now: number): void {
    this.#receivedAt = now;
  }

  show(page: Page, columns: readonly Column[], now: number): void {
    this.#state = { kind: 'live' };
    this.#size = page.size;
    this.#generation = page.generation;
    if (!sameColumns(columns, this.#columns)) {
      this.#columns = columns;
      this.#keys = keyPlaces(columns);
      this.#reader.forget();
    }
    this.#reader.read(page, now, this.#keys);
  }

  /** The rows stay, and say that they are old. */
  age(reason: string): void {
    this.#state = this.#receivedAt === null ? { kind: 'loading', reason } : { kind: 'stale', reason };
  }

  forget(): void {
    this.#reader.forget();
    this.#size = 0;
    this.#generation = null;
    this.#receivedAt = null;
    this.#state = { kind: 'loading', reason: null };
  }

  snapshot(window: RowWindow | null, covered: boolean): ViewSnapshot {
    return {
      table: this.view.table,
      sort: this.view.sort,
      filter: this.view.filter,
      state: this.#state,
      columns: this.#columns,
      size: this.#size,
      rows: window === null ? [] : this.#rowsOf(filledUp(window, this.#size)),
      generation: this.#generation,
      covered,
      receivedAt: this.#receivedAt,
    };
  }

  #rowsOf({ first, last }: RowWindow): LiveRow[] {
    const rows: LiveRow[] = [];
    for (let index = first; index <= last && index < this.#size; index += 1) {
      const row = this.#reader.rows.get(index);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }
}

function sameColumns(a: readonly Column[], b: readonly Column[]): boolean {
  return a.length === b.length && a.every((column, place) => sameColumn(column, b[place]));
}

function sameColumn(a: Column, b: Column | undefined): boolean {
  return a.name === b?.name && a.kind === b.kind && a.key === b.key && a.source === b.source;
}

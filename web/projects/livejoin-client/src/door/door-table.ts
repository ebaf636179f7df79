import { lengthOf, type RowWindow } from '../view/row-window';
import type { CellValue, Column, Page, TableHandle } from '../table-server';
import { cellValue } from './cell-value';
import type { DoorLine } from './door-line';
import { UnreadableError, type Change, type WireColumn, type WireRow } from './wire';

interface ColumnSource {
  readonly column: Column;
  /** Where in a row of the wire its cell is. */
  readonly place: number;
}

/** One view at the door, and the rows of it that are looked at. */
export class DoorTable implements TableHandle {
  readonly columns: readonly Column[];
  readonly #sources: readonly ColumnSource[];
  #look = 0;
  #window: RowWindow = { first: 0, last: -1 };
  /** Of this look; null until it is answered. */
  #latest: Page | null = null;
  #isOver = false;
  #page: ((page: Page) => void) | null = null;
  #failed: ((reason: string) => void) | null = null;

  /** `names` are the columns that are wanted, in their order; null for all of them as the server has them. */
  constructor(
    private readonly view: number,
    private readonly opened: readonly WireColumn[],
    names: readonly string[] | null,
    private readonly line: Pick<DoorLine, 'say'>,
    private readonly closed: () => void,
  ) {
    const all = opened.map((column, place) => ({ place, column: columnOf(column) }));
    this.#sources = names?.flatMap((wanted) => all.filter(({ column }) => column.name === wanted)) ?? all;
    this.columns = this.#sources.map(({ column }) => column);
  }

  onPage(listener: (page: Page) => void): void {
    this.#page = listener;
  }

  onFailed(listener: (reason: string) => void): void {
    this.#failed = listener;
  }

  look(first: number, last: number): void {
    if (this.#isOver) return;
    this.#look += 1;
    this.#window = { first, last };
    this.#latest = null;
    this.line.say({ do: 'look', view: this.view, look: this.#look, first, last });
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.line.say({ do: 'close', view: this.view });
    this.closed();
  }

  /** The server has given it up by itself, so there is nothing left to close. */
  fail(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.closed();
    this.#failed?.(reason);
  }

  /** The page after a change; null where the change is of rows that are no longer looked at. */
  changed(change: Change): Page | null {
    if (change.look !== this.#look) return null;
    const { generation, size, first: offset } = change;
    this.#latest = { offset, size, generation, rows: this.#rowsAfter(change) };
    return this.#latest;
  }

  /** Nothing where somebody has looked elsewhere, or closed it, since the page was made. */
  show(page: Page): void {
    if (!this.#isOver && this.#latest !== null) this.#page?.(page);
  }

  #rowsAfter(change: Change): readonly (readonly CellValue[])[] {
    const { at, first, size } = change;
    const room = Math.max(0, Math.min(size - first, lengthOf(this.#window)));
    if (at !== null) return this.#replaced(change, at, room);
    if (change.rows.length > room) throw new UnreadableError('more rows than there are to look at');
    return change.rows.map((row) => this.#cells(row));
  }

  /** In a list of their own, because whoever has the page before keeps its rows. */
  #replaced({ first, rows }: Change, at: readonly number[], room: number): readonly (readonly CellValue[])[] {
    if (this.#latest?.offset !== first) throw new UnreadableError('a change of rows that were never sent');
    const all = this.#latest.rows.slice(0, room);
    const kept = all.length;
    rows.forEach((row, position) => {
      const place = (at[position] ?? 0) - first;
      if (place < 0 || place >= room) throw new UnreadableError('a row that is not looked at');
      all[place] = this.#cells(row);
    });
    for (let place = kept; place < all.length; place += 1) {
      if (all[place] === undefined) throw new UnreadableError('a row without those before it');
    }
    return all;
  }

  #cells(row: WireRow): readonly CellValue[] {
    if (row.length !== this.opened.length) throw new UnreadableError('a row with more or fewer cells');
    return this.#sources.map(({ place, column }) => cellValue(row[place], column.kind));
  }
}

function columnOf({ type: kind, ...rest }: WireColumn): Column {
  return { ...rest, kind };
}

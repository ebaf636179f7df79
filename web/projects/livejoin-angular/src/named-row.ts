import type { CellValue, Column, LiveRow } from 'livejoin-client';

/** A row with its cells by the names of their columns, too. `Values` says which there are. */
export interface NamedRow<Values = Readonly<Record<string, CellValue>>> extends LiveRow {
  /** Has no prototype, so that a column may have any name. */
  readonly values: Values;
}

/** Gives rows names for their cells, once for each row: one that did not change stays the same object. */
export class RowNames<Values> {
  #columns: readonly Column[] | null = null;
  #named = new WeakMap<LiveRow, NamedRow<Values>>();

  named(rows: readonly LiveRow[], columns: readonly Column[]): readonly NamedRow<Values>[] {
    if (columns !== this.#columns) this.#named = new WeakMap();
    this.#columns = columns;
    return rows.map((row) => {
      const known = this.#named.get(row) ?? new RowWithNames<Values>(row, columns);
      this.#named.set(row, known);
      return known;
    });
  }
}

class RowWithNames<Values> implements NamedRow<Values> {
  readonly id: number;
  readonly index: number;
  readonly cells: LiveRow['cells'];
  readonly changes: LiveRow['changes'];
  readonly #columns: readonly Column[];
  #values: Values | null = null;

  constructor({ id, index, cells, changes }: LiveRow, columns: readonly Column[]) {
    this.id = id;
    this.index = index;
    this.cells = cells;
    this.changes = changes;
    this.#columns = columns;
  }

  /** Made when somebody reads them, because most rows are only drawn. */
  get values(): Values {
    this.#values ??= valuesOf(this.cells, this.#columns) as Values;
    return this.#values;
  }
}

/** Cells by the names of their columns, in an object without a prototype. */
export function valuesOf(
  cells: readonly CellValue[],
  columns: readonly Column[],
): Readonly<Record<string, CellValue>> {
  const values = Object.create(null) as Record<string, CellValue>;
  columns.forEach(({ name }, place) => {
    values[name] = cells[place] ?? null;
  });
  return values;
}

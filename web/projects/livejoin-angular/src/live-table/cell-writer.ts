import type { CellChange, CellValue, Column, LiveRow } from 'livejoin-client';
import type { CellFormat } from '../formats';
import type { LivejoinWords } from '../words';
import { cellText, isNumeric } from './cell-text';
import { directionOf } from './direction';
import type { ShownColumn } from './shown-columns';

/** How an application writes a value itself; null where it is to be written as usual. */
export type CellFormatter = (value: CellValue, column: Column) => string | null;

export interface GridCell {
  readonly column: string;
  readonly value: CellValue;
  readonly text: string;
  /** The whole value, and what it was before. */
  readonly hint: string;
  readonly isNull: boolean;
  readonly isNumeric: boolean;
  readonly isKey: boolean;
  /**
   * Whether it has just risen, fallen or changed in another way. The letter alternates with every change, because only
   * another animation name starts the flash again.
   */
  readonly flash: `${'rise' | 'fall' | 'change'}-${'a' | 'b'}` | null;
}

/** A change that is older than the flash would flash again when its row is scrolled into view. */
const FLASH_MS = 1_500;

interface Written {
  readonly cells: readonly GridCell[];
  /** When the last of its flashes is over. */
  readonly until: number;
}

/** Writes rows for one choice of columns and formats. A row that has not changed is not written again. */
export class CellWriter {
  readonly #written = new WeakMap<LiveRow, Written>();

  constructor(
    private readonly columns: readonly ShownColumn[],
    private readonly keys: ReadonlySet<number>,
    private readonly format: CellFormat,
    private readonly words: Pick<LivejoinWords, 'null' | 'before'>,
    private readonly formatter: CellFormatter = () => null,
  ) {}

  cells(row: LiveRow, now: number): readonly GridCell[] {
    const before = this.#written.get(row);
    if (before !== undefined && now < before.until) return before.cells;
    let until = Infinity;
    const cells = this.columns.map((column) => {
      const change = row.changes?.[column.position];
      const isRecent = change !== undefined && now - change.at < FLASH_MS;
      if (isRecent) until = Math.min(until, change.at + FLASH_MS);
      return this.#cell(row.cells[column.position] ?? null, column, change, isRecent);
    });
    this.#written.set(row, { cells, until });
    return cells;
  }

  #cell(value: CellValue, column: ShownColumn, change: CellChange | undefined, isRecent: boolean): GridCell {
    const { name, kind, position } = column;
    const own = this.formatter(value, column);
    const usual = value === null ? { text: this.words.null, exact: null } : this.#textOf(value, column);
    const whole = usual.exact ?? usual.text;
    const from = change === undefined ? null : this.#beforeText(change.from, column);
    const direction = change === undefined ? null : directionOf(change.from, value, kind === 'decimal');
    return {
      column: name,
      value,
      text: own ?? usual.text,
      hint: from === null ? whole : `${whole}\n${this.words.before(from)}`,
      isNull: value === null && own === null,
      isNumeric: isNumeric(kind),
      isKey: this.keys.has(position),
      flash: isRecent ? `${direction ?? 'change'}-${(change?.count ?? 0) % 2 === 0 ? 'a' : 'b'}` : null,
    };
  }

  #textOf(value: CellValue, { kind }: ShownColumn): ReturnType<typeof cellText> {
    return cellText(value, kind, this.format);
  }

  #beforeText(value: CellValue, column: ShownColumn): string {
    return (
      this.formatter(value, column) ?? (value === null ? this.words.null : this.#textOf(value, column).text)
    );
  }
}

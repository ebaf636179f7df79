import type { IGetRowsParams } from 'ag-grid-community';
import type { RowWindow } from 'livejoin-angular';

/** A block that a grid has asked for. */
export type Block<Row> = Pick<
  IGetRowsParams<Row>,
  'startRow' | 'endRow' | 'successCallback' | 'failCallback'
>;

/** As many rows as blocks that lie together are fetched at once. */
const TOGETHER = 1_000;

/**
 * The blocks that a grid waits for. Each is answered, or failed when its time is over: a grid asks for few at once, so
 * one that is left would keep it from asking for others.
 */
export class BlockRequests<Row> {
  readonly #waiting = new Map<Block<Row>, ReturnType<typeof setTimeout>>();

  /** `expired` is told after a block has failed. */
  constructor(
    private readonly withinMs: number,
    private readonly expired: () => void,
  ) {}

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** The rows to fetch next: those of the newest block, where somebody looks, and of others as far as they lie near it. */
  get window(): RowWindow | null {
    let hull: RowWindow | null = null;
    for (const { startRow, endRow } of [...this.#waiting.keys()].reverse()) {
      const first: number = Math.min(startRow, hull?.first ?? startRow);
      const last: number = Math.max(endRow - 1, hull?.last ?? 0);
      if (hull === null || last - first < TOGETHER) hull = { first, last };
    }
    return hull;
  }

  add(block: Block<Row>): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(block);
      block.failCallback();
      this.expired();
    }, this.withinMs);
    this.#waiting.set(block, timer);
  }

  /** Answers those that `rowsOf` has all rows of; it has null for others. */
  answer(rowsOf: (block: Block<Row>) => Row[] | null, size: number): void {
    for (const [block, timer] of [...this.#waiting]) {
      const rows = rowsOf(block);
      if (rows === null) continue;
      clearTimeout(timer);
      this.#waiting.delete(block);
      block.successCallback(rows, size);
    }
  }

  /** Of rows that the grid has given up itself, or will never see. */
  clear(): void {
    for (const [block, timer] of this.#waiting) {
      clearTimeout(timer);
      block.failCallback();
    }
    this.#waiting.clear();
  }
}

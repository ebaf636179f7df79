import type { dh } from '@deephaven/jsapi-types';
import { reasonOf } from '../errors';
import type { CellValue, Column, ColumnKind, Generation, Page, TableHandle } from '../table-server';
import type { DeephavenApi } from './api-loader';
import { cellValue, columnKind } from './cell-value';
import { LABEL } from './generation-label';

interface ColumnSource {
  readonly column: dh.Column;
  readonly kind: ColumnKind;
}

/** Owns one handle of a labelled table and the viewport on it. */
export class DeephavenTable implements TableHandle {
  readonly columns: readonly Column[];
  readonly #sources = new Map<string, ColumnSource>();
  readonly #stops: (() => void)[] = [];

  constructor(
    private readonly api: DeephavenApi,
    private readonly table: dh.Table,
  ) {
    for (const column of table.columns) {
      this.#sources.set(column.name, { column, kind: columnKind(column.type) });
    }
    this.columns = [...this.#sources]
      .filter(([name]) => name !== LABEL)
      .map(([name, { kind }]) => ({ name, kind }));
  }

  get size(): number {
    // Below zero the server has not counted yet.
    return Math.max(0, this.table.size);
  }

  onPage(listener: (page: Page) => void): void {
    this.#on(this.api.Table.EVENT_UPDATED, (detail) => {
      listener(new DeephavenPage(detail as dh.ViewportData, this.size, this.#sources));
    });
  }

  onSize(listener: () => void): void {
    this.#on(this.api.Table.EVENT_SIZECHANGED, listener);
  }

  onFailed(listener: (reason: string) => void): void {
    this.#on(this.api.Table.EVENT_REQUEST_FAILED, (detail) => {
      listener(reasonOf(detail));
    });
    this.#on(this.api.Table.EVENT_DISCONNECT, () => {
      listener('The table was disconnected.');
    });
  }

  setViewport(
    first: number,
    last: number,
    columns: readonly string[] | null,
    updateIntervalMs: number,
  ): void {
    const wanted = columns === null ? this.table.columns : this.table.findColumns([...columns, LABEL]);
    // Deprecated in favour of createViewportSubscription, where the size comes by another way and later than the rows;
    // only here do rows and size belong to the same update.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    this.table.setViewport(first, last, wanted, updateIntervalMs);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.table.close();
  }

  #on(event: string, handle: (detail: unknown) => void): void {
    this.#stops.push(
      this.table.addEventListener<unknown>(event, ({ detail }) => {
        handle(detail);
      }),
    );
  }
}

class DeephavenPage implements Page {
  readonly offset: number;
  readonly #rows: readonly dh.ViewportRow[];

  constructor(
    data: dh.ViewportData,
    readonly size: number,
    private readonly sources: ReadonlyMap<string, ColumnSource>,
  ) {
    this.offset = data.offset;
    this.#rows = data.rows;
  }

  get generation(): Generation | null {
    const label = this.length === 0 ? null : this.cell(0, LABEL);
    return typeof label === 'number' || typeof label === 'bigint' ? label : null;
  }

  get length(): number {
    return this.#rows.length;
  }

  cell(row: number, name: string): CellValue {
    const source = this.sources.get(name);
    if (source === undefined) return null;
    return cellValue(this.#rows[row]?.get(source.column), source.kind);
  }
}

import { withDeadline } from '../connection/deadline';
import type { Environment } from '../environment';
import { ServerError } from '../errors';
import type { EffectiveSettings } from '../settings';
import type { CellValue, Column, Generation, Page, Session, TableHandle } from '../table-server';
import type { View } from '../view/view-description';

/** Rows of a copy, in their order. */
export interface CopiedRows {
  readonly columns: readonly Column[];
  readonly generation: Generation | null;
  /** The number of rows of the whole copy, and of those before these. */
  readonly size: number;
  readonly before: number;
  readonly rows: readonly (readonly CellValue[])[];
}

/**
 * All rows of a view as they are at one moment, portion by portion. The server keeps a copy meanwhile, so neither a
 * change nor a swap gets into it; the copy is closed when the iteration ends, in whatever way. A portion is there for
 * a table without rows too, because it has columns.
 */
export async function* copyRows(
  session: Session,
  view: View,
  environment: Environment,
  settings: EffectiveSettings,
): AsyncGenerator<CopiedRows, void, void> {
  const step = `Copying ${view.table}`;
  const copying = session.copyTable(view);
  const handle = await withDeadline(environment, step, settings.copyWithinMs, copying, (late) => {
    late.close();
  });
  try {
    const reader = new CopyReader(handle, view.table, environment, settings);
    const { columns } = handle;
    let page = await reader.page(0);
    const { generation, size } = page;
    for (;;) {
      yield { columns, generation, size, before: page.offset, rows: page.rows };
      const next = page.offset + page.rows.length;
      if (next >= size) return;
      page = await reader.page(next);
      if (page.rows.length === 0) throw new ServerError(`The copy of ${view.table} has ended too early.`);
    }
  } finally {
    handle.close();
  }
}

/** Reads one window after the other; there is never more than one request. */
class CopyReader {
  #arrived: ((page: Page) => void) | null = null;
  #failed: ((error: Error) => void) | null = null;
  #failure: ServerError | null = null;

  constructor(
    private readonly handle: TableHandle,
    private readonly table: string,
    private readonly environment: Environment,
    private readonly settings: EffectiveSettings,
  ) {
    handle.onPage((page) => this.#arrived?.(page));
    handle.onFailed((reason) => {
      this.#failure = new ServerError(reason);
      this.#failed?.(this.#failure);
    });
  }

  page(first: number): Promise<Page> {
    // Also where nobody was waiting when it failed.
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const { answerWithinMs, viewportRows } = this.settings;
    const arriving = new Promise<Page>((resolve, reject) => {
      this.#failed = reject;
      this.#arrived = resolve;
    });
    this.handle.look(first, first + viewportRows - 1);
    return withDeadline(this.environment, `Copying ${this.table}`, answerWithinMs, arriving);
  }
}

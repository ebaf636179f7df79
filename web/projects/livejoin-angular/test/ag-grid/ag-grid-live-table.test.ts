// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import {
  AllCommunityModule,
  createGrid,
  ModuleRegistry,
  type GridApi,
  type GridOptions,
  type IGetRowsParams,
} from 'ag-grid-community';
import type { CellValue, Column } from 'livejoin-angular';
import { AgGridLiveTable, type AgGridLiveTableOptions, type AgGridRow } from 'livejoin-angular/ag-grid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

ModuleRegistry.registerModules([AllCommunityModule]);

const COLUMNS: readonly Column[] = [
  { name: 'id', kind: 'text', key: true },
  { name: 'amount', kind: 'integer' },
  { name: 'open', kind: 'boolean' },
];

function person(number: number): CellValue[] {
  return [`u${String(number)}`, number, number % 2 === 0];
}

/** As many rows as nobody could keep in memory: each is made when it is looked at. */
function manyRows(length: number): CellValue[][] {
  const slice = (first: number, end: number): CellValue[][] =>
    Array.from({ length: Math.max(0, Math.min(end, length) - first) }, (_, place) => person(first + place));
  return { length, slice } as unknown as CellValue[][];
}

/** The real grid, in a document without a layout: it believes that ten rows fit. */
describe('AgGridLiveTable', () => {
  let application: FakeApplication;
  let api: GridApi<AgGridRow> | null = null;

  beforeAll(() => {
    for (const [name, pixels] of [
      ['clientHeight', 420],
      ['clientWidth', 800],
    ] as const) {
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => pixels });
    }
  });

  afterAll(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'clientHeight');
    Reflect.deleteProperty(HTMLElement.prototype, 'clientWidth');
  });

  beforeEach(() => {
    application = new FakeApplication();
  });

  afterEach(() => {
    api?.destroy();
    api = null;
    application.destroy();
  });

  async function grid(
    rows: CellValue[][],
    options: GridOptions<AgGridRow> = {},
    of: AgGridLiveTableOptions = {},
  ): Promise<[GridApi<AgGridRow>, AgGridLiveTable]> {
    application.server.show('users_ui', rows, COLUMNS);
    const datasource = await application.inject(() => new AgGridLiveTable('users_ui', of));
    const element = document.createElement('div');
    document.body.append(element);
    const made = createGrid<AgGridRow>(element, {
      rowModelType: 'infinite',
      datasource,
      columnDefs: [
        { field: 'id', filter: 'agTextColumnFilter' },
        { field: 'amount', filter: 'agNumberColumnFilter' },
        { field: 'open', cellDataType: 'boolean', filter: 'agTextColumnFilter' },
      ],
      ...options,
    });
    api = made;
    return [made, datasource];
  }

  /** Lets the grid and the server go on until it is so. */
  async function become(check: () => void): Promise<void> {
    await vi.waitFor(
      async () => {
        await application.draw();
        check();
      },
      { timeout: 4_000, interval: 5 },
    );
  }

  function drawn(): (CellValue | undefined)[] {
    return (api?.getRenderedNodes() ?? []).map(({ data }) => data?.['id']);
  }

  it('shows rows, their number, and what becomes of them, in place', async () => {
    const rows = Array.from({ length: 100_000 }, (_, number) => person(number));
    const [made] = await grid(rows);
    await become(() => {
      expect(drawn()).toContain('u3');
    });
    expect(made.getDisplayedRowCount()).toBe(100_000);
    const before = made.getRowNode('4')?.data;
    rows[3] = ['u3', -1, true];
    rows.push(person(100_000));
    application.server.show('users_ui', rows, COLUMNS);
    await become(() => {
      expect(made.getRowNode('3')?.data).toEqual({ id: 'u3', amount: -1, open: true });
    });
    expect(made.getRowNode('4')?.data, 'a row that did not change is left alone').toBe(before);
    expect(made.getDisplayedRowCount()).toBe(100_001);
  });

  it.each([
    ['a hundred thousand', 100_000, 50_000],
    ['ten million', 10_000_000, 7_654_321],
  ])('is taken anywhere in %s rows before its first block is answered', async (_, count, row) => {
    application.server.answersAtOnce = false;
    const [made] = await grid(manyRows(count), { infiniteInitialRowCount: count });
    await become(() => {
      expect(states()).toEqual(['loading']);
    });
    made.ensureIndexVisible(row);
    await become(() => {
      for (const handle of application.server.openHandles) handle.send();
      expect(drawn()).toContain(`u${String(row)}`);
    });
    await become(() => {
      for (const handle of application.server.openHandles) handle.send();
      expect(new Set(states()), 'every block is answered').toEqual(new Set(['loaded']));
    });
  });

  function states(): string[] {
    const blocks = (api?.getCacheBlockState() ?? {}) as Record<string, { pageStatus: string }>;
    return Object.values(blocks).map(({ pageStatus }) => pageStatus);
  }

  it.each([
    ['of numbers', { amount: { filterType: 'number', type: 'lessThan', filter: 2 } }, ['u0', 'u1']],
    [
      'of integers with all digits',
      { amount: { filterType: 'bigint', type: 'equals', filter: '7' } },
      ['u7'],
    ],
    ['of texts', { id: { filterType: 'text', type: 'endsWith', filter: '42' } }, ['u42', 'u142', 'u242']],
    [
      'of booleans, and of two columns',
      {
        open: { filterType: 'text', type: 'true' },
        amount: { filterType: 'number', type: 'inRange', filter: 3, filterTo: 7 },
      },
      ['u4', 'u6'],
    ],
  ])('has the rows that a filter %s leaves', async (_, model, left) => {
    const [made] = await grid(Array.from({ length: 300 }, (__, number) => person(number)));
    await become(() => {
      expect(drawn()).toContain('u0');
    });
    made.setFilterModel(model);
    await become(() => {
      expect(drawn()).toEqual(left);
    });
    expect(made.getDisplayedRowCount()).toBe(left.length);
  });

  it('sorts all rows, beside the filter of the application', async () => {
    const [made] = await grid(
      Array.from({ length: 300 }, (_, number) => person(number)),
      {},
      { filter: [{ column: 'amount', is: 'less', to: 200 }] },
    );
    await become(() => {
      expect(drawn()).toContain('u0');
    });
    made.applyColumnState({ state: [{ colId: 'amount', sort: 'desc' }] });
    await become(() => {
      expect(drawn()[0]).toBe('u199');
    });
  });

  it('tells the grid of blocks that do not arrive in time, and brings them when the server is back', async () => {
    const [, table] = await grid(manyRows(1_000), {}, { answerWithinMs: 50 });
    application.server.isDown = true;
    application.server.latest.lose('The table server was shut down.');
    await become(() => {
      expect(states()).toEqual(['failed']);
    });
    expect(table.problem()).toBe('The table server was shut down.');
    application.server.isDown = false;
    await application.environment.pass(20_000);
    await become(() => {
      expect(drawn()).toContain('u0');
    });
    expect([table.problem(), states()]).toEqual([null, ['loaded']]);
  });

  it('fails a block at once whose filter the server cannot be asked, and says why', async () => {
    const [, table] = await grid(manyRows(1_000));
    const failCallback = vi.fn();
    await become(() => {
      expect(drawn()).toContain('u0');
    });
    table.getRows({
      api,
      startRow: 0,
      endRow: 100,
      sortModel: [],
      filterModel: { amount: { filterType: 'own', near: 'home' } },
      failCallback,
    } as unknown as IGetRowsParams<AgGridRow>);
    expect(failCallback).toHaveBeenCalledOnce();
    expect(table.problem()).toContain('The table server cannot filter amount');
  });

  it('gives rows the ids that the application has for them, also when others take their places', async () => {
    const rows = Array.from({ length: 20 }, (_, number) => person(number));
    const [made] = await grid(rows, { getRowId: ({ data }) => String(data['id']) });
    await become(() => {
      expect(made.getRowNode('u3')?.rowIndex).toBe(3);
    });
    application.server.show('users_ui', [person(99), ...rows], COLUMNS);
    await become(() => {
      expect([made.getRowNode('u99')?.rowIndex, made.getRowNode('u3')?.rowIndex]).toEqual([0, 4]);
    });
    expect(made.getRowNode('u3')?.data?.['id']).toBe('u3');
  });

  it('has values by the names of their columns, whatever these are', async () => {
    const names = ['__proto__', 'constructor', 'a.b', '0'];
    application.server.show(
      'others_ui',
      [['p', 'c', 'd', 'n']],
      names.map((name) => ({ name, kind: 'text' })),
    );
    const table = await application.inject(() => new AgGridLiveTable('others_ui'));
    const successCallback = vi.fn<(rows: AgGridRow[], lastRow?: number) => void>();
    const [made] = await grid([]);
    table.getRows({
      api: made,
      startRow: 0,
      endRow: 100,
      sortModel: [],
      filterModel: {},
      successCallback,
      failCallback: vi.fn(),
    } as unknown as IGetRowsParams<AgGridRow>);
    await application.draw();
    const [row] = successCallback.mock.calls[0]?.[0] ?? [];
    expect(new Map(Object.entries(row ?? {}))).toEqual(
      new Map(names.map((name, place) => [name, 'pcdn'[place]])),
    );
  });

  it('asks for nothing when the grid has left it', async () => {
    const [made] = await grid(manyRows(1_000));
    await become(() => {
      expect(drawn()).toContain('u0');
    });
    made.setGridOption('datasource', { getRows: () => undefined });
    await application.draw();
    expect(application.server.openHandles[0]?.looks.at(-1)).toEqual([0, 0]);
  });
});

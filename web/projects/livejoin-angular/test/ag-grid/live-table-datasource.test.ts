// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import type { FilterModel, GridApi, IGetRowsParams, SortModelItem } from 'ag-grid-community';
import { LiveTableDatasource, type AgGridRow } from 'livejoin-angular/ag-grid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

describe('LiveTableDatasource', () => {
  let application: FakeApplication;
  let datasource: LiveTableDatasource;
  const nodes = new Map<string, { setData: (row: AgGridRow) => void }>();
  const listeners = new Map<string, (event: { firstRow: number; lastRow: number }) => void>();
  const setRowCount = vi.fn();
  const api = {
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
    isDestroyed: () => false,
    getRowNode: (id: string) => nodes.get(id),
    getColumnDef: (column: string) => ({ filterParams: { inRangeInclusive: column === 'amount' } }),
    setRowCount,
  } as unknown as GridApi<AgGridRow>;

  beforeEach(async () => {
    nodes.clear();
    listeners.clear();
    setRowCount.mockReset();
    application = new FakeApplication();
    application.server.show('users_ui', rowsUpTo(250));
    datasource = await application.inject(() => new LiveTableDatasource('users_ui'));
  });

  afterEach(() => {
    application.destroy();
  });

  function rowsUpTo(count: number): [string, number][] {
    return Array.from({ length: count }, (_, i) => [`u${String(i)}`, i]);
  }

  function ask(
    startRow: number,
    endRow: number,
    sortModel: SortModelItem[] = [],
    filterModel: FilterModel = {},
  ) {
    const answered = vi.fn<(rows: AgGridRow[], lastRow?: number) => void>();
    const params = { api, startRow, endRow, sortModel, filterModel, successCallback: answered };
    datasource.getRows(params as unknown as IGetRowsParams<AgGridRow>);
    return answered;
  }

  it('answers with a block when all of its rows are there', async () => {
    const answered = ask(100, 200);
    expect(answered).not.toHaveBeenCalled();
    await application.draw();
    expect(answered).toHaveBeenCalledOnce();
    const [rows, lastRow] = answered.mock.calls[0] ?? [];
    expect([rows?.length, lastRow]).toEqual([100, 250]);
    expect(rows?.[0]).toEqual({ id: 'u100', amount: 100 });
  });

  it('has values by the names of their columns, whatever these are', async () => {
    const columns = ['__proto__', 'constructor', 'a.b', '0'].map((name) => ({ name, kind: 'text' }) as const);
    application.server.show('others_ui', [['p', 'c', 'd', 'n']], columns);
    datasource = await application.inject(() => new LiveTableDatasource('others_ui'));
    const answered = ask(0, 100);
    await application.draw();
    const row = answered.mock.calls[0]?.[0][0] ?? {};
    expect(new Map(Object.entries(row))).toEqual(
      new Map([
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['a.b', 'd'],
        ['0', 'n'],
      ]),
    );
  });

  it('answers the last block with the rows that there are', async () => {
    const answered = ask(200, 300);
    await application.draw();
    expect(answered.mock.calls[0]?.[0]).toHaveLength(50);
  });

  it('answers several blocks that are asked for at once', async () => {
    const blocks = [ask(0, 100), ask(100, 200)];
    await application.draw();
    expect(blocks.map(({ mock }) => mock.calls[0]?.[0].length)).toEqual([100, 100]);
  });

  it('changes rows in place, and the number of rows with them', async () => {
    ask(0, 100);
    await application.draw();
    const setData = vi.fn();
    nodes.set('3', { setData });
    nodes.set('4', { setData: () => expect.unreachable('row 4 has not changed') });
    application.server.show('users_ui', [...rowsUpTo(3), ['u3', -1], ...rowsUpTo(251).slice(4)] as [
      string,
      number,
    ][]);
    await application.draw();
    expect(setData).toHaveBeenCalledExactlyOnceWith({ id: 'u3', amount: -1 });
    expect(setRowCount).toHaveBeenLastCalledWith(251, true);
  });

  it('watches what is on the screen, also where the grid has the block already', async () => {
    ask(0, 100);
    ask(100, 200);
    await application.draw();
    listeners.get('viewportChanged')?.({ firstRow: 120, lastRow: 140 });
    await application.draw();
    expect(application.server.openHandles[0]?.looks.at(-1)).toEqual([120, 140]);
  });

  it('sorts on the server when the grid is sorted', async () => {
    ask(0, 100);
    await application.draw();
    const answered = ask(0, 100, [{ colId: 'amount', sort: 'desc', type: 'default' }]);
    expect(answered).not.toHaveBeenCalled();
    await application.draw();
    expect(answered).toHaveBeenCalledOnce();
    expect(application.server.latest.handles.at(-1)?.view.sort).toEqual([
      { column: 'amount', direction: 'descending' },
    ]);
  });

  it('filters on the server when the grid is filtered, beside the filter of the application', async () => {
    datasource = await application.inject(
      () => new LiveTableDatasource('users_ui', { filter: [{ column: 'id', is: 'notNull' }] }),
    );
    ask(0, 100);
    await application.draw();
    const amount = { filterType: 'number', type: 'inRange', filter: 1, filterTo: 2 };
    const answered = ask(0, 100, [], { amount });
    expect(answered).not.toHaveBeenCalled();
    await application.draw();
    expect(answered).toHaveBeenCalledOnce();
    expect(application.server.latest.handles.at(-1)?.view.filter).toEqual([
      { column: 'id', is: 'notNull' },
      {
        column: 'amount',
        is: 'allOf',
        of: [
          { is: 'greaterOrEqual', to: 1 },
          { is: 'lessOrEqual', to: 2 },
        ],
      },
    ]);
  });

  it('asks for nothing when the grid has left it', async () => {
    ask(0, 100);
    await application.draw();
    datasource.destroy();
    await application.draw();
    expect(listeners.size).toBe(0);
    expect(application.server.openHandles[0]?.looks.at(-1)).toEqual([0, 0]);
  });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { dh } from '@deephaven/jsapi-types';
import { DeephavenTable } from '../../src/deephaven/deephaven-table';
import type { Page } from '../../src/table-server';
import { FakeDeephaven, FakeDhTable } from './fake-deephaven';

describe('DeephavenTable', () => {
  let raw: FakeDhTable;
  let table: DeephavenTable;

  beforeEach(async () => {
    raw = await new FakeDhTable().naturalJoin(new FakeDhTable(), [], ['LivejoinGeneration=generation']);
    table = new DeephavenTable(new FakeDeephaven().api, raw as unknown as dh.Table);
  });

  it('describes its columns by kind', () => {
    expect(table.columns).toEqual([
      { name: 'userId', kind: 'text' },
      { name: 'age', kind: 'integer' },
    ]);
  });

  it('has no rows while the server has not counted them', () => {
    expect(table.size).toBe(0);
    raw.size = 7;
    expect(table.size).toBe(7);
  });

  it('sets the viewport for all columns or for the chosen ones', () => {
    table.setViewport(0, 9, null, 20);
    table.setViewport(5, 9, ['age'], 20);
    expect(raw.viewports).toEqual([
      [0, 9, raw.columns, 20],
      [5, 9, [raw.columns[1], raw.columns[2]], 20],
    ]);
  });

  it('hands out pages as plain values', () => {
    const pages: Page[] = [];
    table.onPage((page) => pages.push(page));
    const row = {
      get: ({ name }: { name: string }) => (name === 'userId' ? 'u1' : { toString: () => '36' }),
    };
    raw.size = 41;
    raw.fire('updated', { offset: 40, rows: [row] });
    const [page] = pages;
    expect(page).toMatchObject({ offset: 40, length: 1, size: 41, generation: 36 });
    expect(page?.cell(0, 'userId')).toBe('u1');
    expect(page?.cell(0, 'age')).toBe(36);
    expect(page?.cell(0, 'unknown')).toBeNull();
    expect(page?.cell(1, 'age')).toBeNull();
  });

  it('knows no generation of a page without rows', () => {
    const pages: Page[] = [];
    table.onPage((page) => pages.push(page));
    raw.fire('updated', { offset: 0, rows: [] });
    expect(pages[0]?.generation).toBeNull();
  });

  it('tells about sizes and failures until it is closed', () => {
    const sized = vi.fn();
    const failed = vi.fn();
    table.onSize(sized);
    table.onFailed(failed);
    raw.fire('sizechanged', 3);
    raw.fire('requestfailed', 'Exported Table Already Failed');
    raw.fire('disconnect');
    expect(sized).toHaveBeenCalledOnce();
    expect(failed.mock.calls).toEqual([['Exported Table Already Failed'], ['The table was disconnected.']]);
    table.close();
    raw.fire('requestfailed', 'later');
    expect(failed).toHaveBeenCalledTimes(2);
    expect(raw.isClosed).toBe(true);
  });
});

// @vitest-environment happy-dom
import { FakeApplication } from './angular';
import { createEnvironmentInjector, EnvironmentInjector, runInInjectionContext, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { injectLiveTable, type LiveRow, type SortBy } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('injectLiveTable', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
    application.server.show('users_ui', [
      ['u1', 1],
      ['u2', 2],
    ]);
    application.server.show('final_ui', [['f1', 1]]);
  });

  afterEach(() => {
    application.destroy();
  });

  function firstCells(rows: readonly LiveRow[]): unknown[] {
    return rows.map(({ cells }) => cells[0]);
  }

  it('returns the rows, columns, size and state as signals', async () => {
    const live = await application.inject(() => injectLiveTable('users_ui'));
    expect(firstCells(live.rows())).toEqual(['u1', 'u2']);
    expect(live.columns().map(({ name }) => name)).toEqual(['id', 'amount']);
    expect([live.size(), live.state().kind, live.error()]).toEqual([2, 'live', null]);
  });

  it('has the cells by the names of their columns, whatever these are', async () => {
    application.server.show(
      'odd_ui',
      [['u1', 'a text']],
      [
        { name: 'id', kind: 'text', key: true },
        { name: '__proto__', kind: 'text' },
      ],
    );
    const live = await application.inject(() => injectLiveTable('odd_ui'));
    const [row] = live.rows();
    expect(Object.entries(row?.values ?? {})).toEqual([
      ['id', 'u1'],
      ['__proto__', 'a text'],
    ]);
    expect(row).toMatchObject({ index: 0, cells: ['u1', 'a text'], changes: null });
  });

  it('keeps rows, their values and the list of them as they are while nothing changes', async () => {
    const live = await application.inject(() => injectLiveTable('users_ui'));
    const before = live.rows();
    const values = before.map((row) => row.values);
    application.server.openHandles[0]?.send();
    await application.draw();
    expect(live.rows()).toBe(before);
    application.server.show('users_ui', [
      ['u1', 1],
      ['u2', 3],
    ]);
    await application.draw();
    expect(live.rows()[0]).toBe(before[0]);
    expect(live.rows()[0]?.values).toBe(values[0]);
    expect(live.rows()[1]?.values).toEqual({ id: 'u2', amount: 3 });
  });

  it('says what is wrong with a name that no table has, and goes on with the next', async () => {
    const name = signal('users_ui');
    const live = await application.inject(() => injectLiveTable(name));
    name.set('users ui; drop');
    await application.draw();
    expect([live.error(), live.rows(), live.state().kind]).toEqual([
      '"users ui; drop" is not a table name: letters, digits and underscores only.',
      [],
      'loading',
    ]);
    expect(application.server.openHandles).toHaveLength(1);
    await application.environment.pass(5_000);
    expect(application.server.openHandles, 'nobody watches the one before').toHaveLength(0);
    name.set('final_ui');
    await application.draw();
    expect([live.error(), firstCells(live.rows())]).toEqual([null, ['f1']]);
  });

  it('follows the table', async () => {
    const live = await application.inject(() => injectLiveTable('users_ui'));
    application.server.show('users_ui', [['u1', 5]]);
    await application.draw();
    expect(live.rows().map(({ cells }) => cells)).toEqual([['u1', 5]]);
  });

  it('tells the age of the rows, and why they are old', async () => {
    const live = await application.inject(() => injectLiveTable('users_ui'));
    expect(live.age()).toBeGreaterThanOrEqual(0);
    application.server.isDown = true;
    application.server.latest.lose('The table server was shut down.');
    await application.draw();
    expect([live.state().kind, live.error()]).toEqual(['stale', 'The table server was shut down.']);
    expect(live.rows()).toHaveLength(2);
  });

  it('watches the rows that a signal names', async () => {
    const window = signal({ first: 1, last: 1 });
    const live = await application.inject(() => injectLiveTable('users_ui', { window }));
    expect(firstCells(live.rows())).toEqual(['u2']);
    window.set({ first: 0, last: 0 });
    await application.draw();
    expect(firstCells(live.rows())).toEqual(['u1']);
  });

  it('keeps the rows on the screen while another sort of them is on its way', async () => {
    const sort = signal<readonly SortBy[]>([]);
    const live = await application.inject(() => injectLiveTable('users_ui', { sort }));
    application.server.answersAtOnce = false;
    sort.set([{ column: 'amount', direction: 'descending' }]);
    await application.draw();
    expect([live.state().kind, live.rows().length]).toEqual(['stale', 2]);
    for (const handle of application.server.openHandles) handle.send();
    await application.draw();
    expect(live.state().kind).toBe('live');
    expect(live.snapshot().sort).toEqual([{ column: 'amount', direction: 'descending' }]);
  });

  it('does not begin from nothing when another search follows one that found nothing', async () => {
    const search = signal('nobody');
    application.server.show('users_ui', []);
    const live = await application.inject(() => injectLiveTable('users_ui', { search }));
    expect([live.state().kind, live.size()]).toEqual(['live', 0]);
    application.server.answersAtOnce = false;
    search.set('somebody');
    await application.draw();
    expect(live.state().kind).toBe('stale');
    expect(application.server.openHandles.map(({ view }) => view.search)).toContain('somebody');
  });

  it('is loading while its first rows wait for those of the others', async () => {
    application.server.generation = 1;
    await application.inject(() => injectLiveTable('users_ui'));
    application.server.generation = 2;
    application.server.tables.set('other_ui', [['o1', 1]]);
    const other = await application.inject(() => injectLiveTable('other_ui'));
    await application.draw();
    expect([other.state().kind, other.columns()]).toEqual(['loading', []]);
    application.server.show('users_ui', [['u1', 1]]);
    await application.draw();
    expect([other.state().kind, other.rows().length]).toEqual(['live', 1]);
  });

  it('fetches the table again when it is refreshed, and keeps the rows meanwhile', async () => {
    const live = await application.inject(() => injectLiveTable('users_ui'));
    application.server.answersAtOnce = false;
    live.refresh();
    await application.draw();
    expect([application.server.latest.handles.length, application.server.openHandles.length]).toEqual([2, 1]);
    expect([live.state().kind, live.rows().length]).toEqual(['live', 2]);
    application.server.show('users_ui', [['u3', 3]]);
    await application.draw();
    expect(firstCells(live.rows())).toEqual(['u3']);
  });

  it('does not ask again for a sort that says the same', async () => {
    const sort = signal<readonly SortBy[]>([{ column: 'amount', direction: 'ascending' }]);
    await application.inject(() => injectLiveTable('users_ui', { sort }));
    sort.set([{ column: 'amount', direction: 'ascending' }]);
    await application.draw();
    expect(application.server.latest.handles).toHaveLength(1);
  });

  it('shows another table when the name changes, and nothing of the first', async () => {
    const name = signal('users_ui');
    const live = await application.inject(() => injectLiveTable(name));
    name.set('final_ui');
    await application.draw();
    expect(firstCells(live.rows())).toEqual(['f1']);
  });

  it('is a stream too, which begins with the rows of the moment', async () => {
    const live = await application.inject(() => injectLiveTable('users_ui'));
    const seen: unknown[][] = [];
    live.rows$.subscribe((rows) => seen.push(firstCells(rows)));
    await application.draw();
    application.server.show('users_ui', [['u9', 9]]);
    await application.draw();
    expect(seen).toEqual([['u1', 'u2'], ['u9']]);
  });

  it('shares one viewport among fifty, and leaves nothing behind when they are gone', async () => {
    const injector = createEnvironmentInjector([], TestBed.inject(EnvironmentInjector));
    const lives = runInInjectionContext(injector, () =>
      Array.from({ length: 50 }, () => injectLiveTable('users_ui')),
    );
    await application.draw();
    expect(lives.every(({ rows }) => rows().length === 2)).toBe(true);
    expect(application.server.openHandles).toHaveLength(1);
    injector.destroy();
    await application.environment.pass(2_000);
    expect(application.server.openHandles).toHaveLength(0);
  });
});

// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { AS_IT_IS, injectTableView, ViewAddress, type TableView } from 'livejoin-angular';
import { inject } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('injectTableView', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
    application.server.show(
      'users_ui',
      [
        ['ada', 1],
        ['bob', null],
      ],
      [
        { name: 'id', kind: 'text', key: true },
        { name: 'amount', kind: 'integer' },
      ],
    );
  });

  afterEach(() => {
    history.replaceState(null, '', '/');
    application.destroy();
  });

  function view(): Promise<TableView> {
    return application.inject(() => injectTableView(() => 'users_ui'));
  }

  it('asks the server for what was chosen, and forgets it with whoever shows it', async () => {
    const shown = await view();
    shown.choose({ filter: [{ column: 'amount', is: 'greaterOrEqual', to: '9007199254740993' }] });
    await application.draw();
    expect(application.server.openHandles.map((handle) => handle.view.filter)).toContainEqual([
      { column: 'amount', is: 'greaterOrEqual', to: 9007199254740993n },
    ]);
    expect([shown.isRestricted(), shown.isChosen()]).toEqual([true, true]);
    shown.reset();
    expect(shown.choice()).toEqual(AS_IT_IS);
  });

  it('keeps what was chosen in the address, for a link', async () => {
    const shown = await application.inject(() => injectTableView(() => 'users_ui', inject(ViewAddress)));
    shown.choose({ search: 'ad', sort: [{ column: 'amount', direction: 'descending' }] });
    expect(location.search).toBe('?users_ui.sort=amount%3Adescending&users_ui.search=ad');
    TestBed.inject(ViewAddress).write('other', '1');
    TestBed.inject(ViewAddress).forget(['users_ui']);
    expect(location.search).toBe('?other=1');
    expect(shown.choice()).toEqual(AS_IT_IS);
  });

  it('asks for what is shown and for the key, in the order of the table, and for all where all is shown', async () => {
    const columns = ['id', 'name', 'amount', 'note'].map(
      (name) => ({ name, kind: 'text', key: name === 'id' }) as const,
    );
    application.server.show('users_ui', [['a', 'Ada', '1', '']], columns);
    const shown = await view();
    const askedFor = (): unknown =>
      application.server.openHandles.filter(({ looks }) => looks.length > 0).at(-1)?.view.columns ?? null;
    expect(askedFor()).toBeNull();
    shown.choose({
      columns: [
        { name: 'note', width: null },
        { name: 'name', width: 80 },
      ],
    });
    await application.draw();
    await application.environment.pass(5_000);
    await application.draw();
    expect(askedFor()).toEqual(['id', 'name', 'note']);
    expect(shown.shown().map(({ name, position }) => [name, position])).toEqual([
      ['note', 2],
      ['name', 1],
    ]);
    // Hidden, and as much a column as before.
    expect(shown.whole.columns().map(({ name }) => name)).toEqual(['id', 'name', 'amount', 'note']);
    shown.choose({
      columns: [
        { name: 'name', width: null },
        { name: 'amount', width: null },
      ],
    });
    expect(shown.shown().map(({ name }) => name)).toEqual(['name', 'amount']);
    shown.reset();
    await application.draw();
    await application.environment.pass(5_000);
    await application.draw();
    expect(askedFor()).toBeNull();
  });

  it('drops what was chosen for columns that the table does not have', async () => {
    const shown = await view();
    shown.choose({ sort: [{ column: 'height', direction: 'ascending' }], search: 'a' });
    await application.draw();
    expect(shown.choice()).toEqual({ ...AS_IT_IS, search: 'a' });
  });

  it('says why the server does not show it, and nothing while the rows are merely on their way', async () => {
    const shown = await view();
    expect(shown.refusal()).toBeNull();
    application.server.refuse = (asked) =>
      asked.search === '' ? null : 'There is no text in this table to search.';
    shown.choose({ search: 'a' });
    TestBed.tick();
    expect(shown.refusal()).toBeNull();
    await application.draw();
    expect(shown.refusal()).toBe('There is no text in this table to search.');
    shown.reset();
    await application.draw();
    expect(shown.refusal()).toBeNull();
  });
});

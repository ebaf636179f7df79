import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DeephavenServer } from '../../src/deephaven/deephaven-server';
import { DeadlineError } from '../../src/errors';
import { effectiveSettings } from '../../src/settings';
import type { Session } from '../../src/table-server';
import { viewOf } from '../../src/view-description';
import { FakeEnvironment, settle } from 'livejoin-client/testing';
import { FakeDeephaven, FakeDhTable } from './fake-deephaven';

const FINAL = viewOf({ table: 'final_ui' });

describe('DeephavenSession', () => {
  let environment: FakeEnvironment;
  let deephaven: FakeDeephaven;
  let session: Session;

  beforeEach(async () => {
    environment = new FakeEnvironment();
    deephaven = new FakeDeephaven();
    environment.module = () => Promise.resolve({ default: deephaven.api });
    session = await new DeephavenServer(environment, effectiveSettings({ url: 'host' })).open('key');
  });

  it('fetches tables as exports of the application', async () => {
    await session.fetchTable(FINAL);
    await session.fetchTable(viewOf({ table: 'users_ui' }));
    expect(deephaven.connection.fetched.map(({ id, type }) => [atob(id), type])).toEqual([
      ['a/livejoin/f/orchestrator_status', 'Table'],
      ['a/livejoin/f/final_ui', 'Table'],
      ['a/livejoin/f/users_ui', 'Table'],
    ]);
  });

  it('labels every table with the generation and keeps nothing but the labelled one', async () => {
    const handle = await session.fetchTable(FINAL);
    const [status, fetched] = deephaven.connection.tables;
    expect([status?.isClosed, fetched?.isClosed]).toEqual([false, true]);
    const [labelled] = fetched?.joins ?? [];
    expect(handle.columns.map(({ name }) => name)).toEqual(['userId', 'age']);
    handle.close();
    expect(labelled?.isClosed).toBe(true);
  });

  it('sorts and filters before it labels', async () => {
    const sort = [{ column: 'age', direction: 'descending' } as const];
    await session.fetchTable(
      viewOf({ table: 'final_ui', sort, filter: [{ column: 'userId', is: 'notNull' }] }),
    );
    const [, fetched] = deephaven.connection.tables;
    expect(fetched?.sorts).toEqual([['age down']]);
    expect(fetched?.filters).toEqual([[{ text: 'not userId isNull' }]]);
  });

  it('closes a table that it cannot sort, and says which column is missing', async () => {
    const view = viewOf({ table: 'final_ui', sort: [{ column: 'height', direction: 'ascending' }] });
    await expect(session.fetchTable(view)).rejects.toThrow('There is no column height');
    expect(deephaven.connection.tables[1]?.isClosed).toBe(true);
  });

  it('copies the labelled table, and keeps nothing but the copy', async () => {
    const sort = [{ column: 'age', direction: 'descending' } as const];
    const handle = await session.copyTable(viewOf({ table: 'final_ui', sort }));
    const [, fetched] = deephaven.connection.tables;
    const [labelled] = fetched?.joins ?? [];
    const [copy] = labelled?.copies ?? [];
    expect(fetched?.sorts).toEqual([['age down']]);
    expect([fetched?.isClosed, labelled?.isClosed, copy?.isClosed]).toEqual([true, true, false]);
    handle.close();
    expect(copy?.isClosed).toBe(true);
  });

  it('is alive when the server answers a small question', async () => {
    await expect(session.probe()).resolves.toBeUndefined();
    deephaven.configuration = () => Promise.reject(new Error('gone'));
    await expect(session.probe()).rejects.toThrow('gone');
  });

  it('says in plain words that a table is not there yet', async () => {
    deephaven.connection.answer = (name) =>
      name.endsWith('final_ui')
        ? Promise.reject(new Error("Could not resolve 'sourceId': field not found"))
        : Promise.resolve(new FakeDhTable());
    await expect(session.fetchTable(FINAL)).rejects.toThrow('The table server has no final_ui yet.');
  });

  it('does not wait for ever for a table, and closes one that comes too late', async () => {
    const table = new FakeDhTable();
    let answer: (table: FakeDhTable) => void = () => undefined;
    deephaven.connection.answer = (name) =>
      name.endsWith('final_ui')
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : Promise.resolve(new FakeDhTable());
    const outcome = expect(session.fetchTable(FINAL)).rejects.toThrow(
      new DeadlineError('Fetching final_ui', 10_000).message,
    );
    await environment.pass(10_000);
    await outcome;
    answer(table);
    await settle();
    expect(table.isClosed).toBe(true);
  });

  it('reports one loss, though every stream of the connection ends for itself', () => {
    const lost = vi.fn();
    session.onLost(lost);
    deephaven.connection.fire('disconnect');
    deephaven.connection.fire('disconnect');
    deephaven.connection.fire('shutdown');
    expect(lost).toHaveBeenCalledOnce();
  });

  it('reports nothing after it was closed', () => {
    const lost = vi.fn();
    session.onLost(lost);
    session.close();
    deephaven.connection.fire('disconnect');
    expect(lost).not.toHaveBeenCalled();
    expect(deephaven.disconnects).toBe(1);
  });
});

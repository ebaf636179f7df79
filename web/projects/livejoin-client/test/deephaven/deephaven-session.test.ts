import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DeephavenServer } from '../../src/deephaven/deephaven-server';
import { DeadlineError } from '../../src/errors';
import { effectiveSettings } from '../../src/settings';
import type { Session } from '../../src/table-server';
import { FakeEnvironment, settle } from '../fake-environment';
import { FakeDeephaven, FakeDhTable } from './fake-deephaven';

describe('DeephavenSession', () => {
  let environment: FakeEnvironment;
  let deephaven: FakeDeephaven;
  let session: Session;

  beforeEach(async () => {
    environment = new FakeEnvironment();
    deephaven = new FakeDeephaven();
    environment.module = () => Promise.resolve({ default: deephaven.api });
    session = await new DeephavenServer(environment, effectiveSettings({ tableServer: 'host' })).open('key');
  });

  it('fetches tables as exports of the application', async () => {
    await session.fetchTable('final_ui');
    expect(deephaven.connection.fetched).toEqual([{ id: btoa('a/livejoin/f/final_ui'), type: 'Table' }]);
  });

  it('says in plain words that a table is not there yet', async () => {
    deephaven.connection.answer = () =>
      Promise.reject(new Error("Could not resolve 'sourceId': field not found"));
    await expect(session.fetchTable('final_ui')).rejects.toThrow('The table server has no final_ui yet.');
  });

  it('does not wait for ever for a table, and closes one that comes too late', async () => {
    const table = new FakeDhTable();
    let answer: (table: FakeDhTable) => void = () => undefined;
    deephaven.connection.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const outcome = expect(session.fetchTable('final_ui')).rejects.toThrow(
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

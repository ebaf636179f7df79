import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FrameBatch } from '../../src/view/frame-batch';
import { LiveView } from '../../src/view/live-view';
import { effectiveSettings } from '../../src/settings';
import { viewOf } from '../../src/view/view-description';
import {
  FakeEnvironment,
  FakeSession,
  FakeTableServer,
  settle,
  type FakeTable,
} from 'livejoin-client/testing';
import type { CellValue } from '../../src/table-server';

describe('LiveView', () => {
  let environment: FakeEnvironment;
  let rows: CellValue[][];
  let server: FakeTableServer;
  let session: FakeSession;
  let view: LiveView;
  let isHeld: boolean;
  const heard = vi.fn();
  const abandoned = vi.fn();

  beforeEach(() => {
    environment = new FakeEnvironment();
    rows = Array.from({ length: 100 }, (_, i) => [`u${String(i)}`, i]);
    server = new FakeTableServer();
    server.tables.set('final_ui', rows);
    session = new FakeSession(server);
    isHeld = false;
    heard.mockReset();
    abandoned.mockReset();
    view = new LiveView(viewOf({ table: 'final_ui' }), environment, effectiveSettings({ url: 'host' }), {
      frames: new FrameBatch(environment),
      isHeld: () => isHeld,
      heard,
      abandoned,
    });
  });

  function handle(): FakeTable {
    const latest = session.handles.at(-1);
    if (latest === undefined) throw new Error('nothing was fetched');
    return latest;
  }

  async function liveObserver(first = 0, last = 9) {
    const observer = view.observe();
    observer.setWindow({ first, last });
    view.attach(session);
    await settle();
    handle().send();
    environment.paint();
    return observer;
  }

  it('is loading until the first page, then live with the rows of the window', async () => {
    const observer = view.observe();
    expect(observer.snapshot.value.state.kind).toBe('loading');
    const live = await liveObserver(10, 19);
    const { state, size, columns, rows: shown } = live.snapshot.value;
    expect(state.kind).toBe('live');
    expect(size).toBe(100);
    expect(columns.map(({ name }) => name)).toEqual(['id', 'amount']);
    expect(shown.map(({ index }) => index)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it('is live and empty where the table has no rows', async () => {
    rows.length = 0;
    const observer = await liveObserver();
    expect(observer.snapshot.value).toMatchObject({ state: { kind: 'live' }, size: 0, rows: [] });
  });

  it('delivers once per frame, with the newest rows', async () => {
    const observer = await liveObserver();
    const seen = vi.fn();
    observer.snapshot.subscribe(seen);
    rows[0] = ['u0', 1_000];
    handle().send();
    rows[0] = ['u0', 2_000];
    handle().send();
    environment.paint();
    expect(seen).toHaveBeenCalledOnce();
    expect(observer.snapshot.value.rows[0]?.cells).toEqual(['u0', 2_000]);
  });

  it('covers the windows of all observers with one viewport and gives each its own rows', async () => {
    const low = await liveObserver(0, 4);
    const high = view.observe();
    high.setWindow({ first: 20, last: 24 });
    expect(handle().looks.at(-1)).toEqual([0, 24]);
    handle().send();
    environment.paint();
    expect(low.snapshot.value.rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(high.snapshot.value.rows.map(({ index }) => index)).toEqual([20, 21, 22, 23, 24]);
    expect(session.handles).toHaveLength(1);
  });

  it('tells an observer that is too far away from the newest one', async () => {
    rows.push(...Array.from({ length: 5_000 }, () => ['more', 0]));
    const low = await liveObserver(0, 4);
    const far = view.observe();
    far.setWindow({ first: 4_000, last: 4_009 });
    environment.paint();
    expect(low.snapshot.value.covered).toBe(false);
    expect(far.snapshot.value.covered).toBe(true);
  });

  it('keeps the last good rows, marked stale, while the connection is away', async () => {
    const observer = await liveObserver();
    view.detach('The connection was lost.');
    environment.paint();
    const { state, rows: shown, size } = observer.snapshot.value;
    expect(state).toEqual({ kind: 'stale', reason: 'The connection was lost.' });
    expect(shown).toHaveLength(10);
    expect(size).toBe(100);
  });

  it('asks the next session for the window where it was', async () => {
    await liveObserver(50, 59);
    view.detach('gone');
    session = new FakeSession(server);
    view.attach(session);
    await settle();
    expect(handle().looks).toEqual([[50, 59]]);
  });

  it('fetches a table that failed again by its name', async () => {
    const observer = await liveObserver();
    handle().fail('Table already closed');
    environment.paint();
    expect(observer.snapshot.value.state).toEqual({ kind: 'stale', reason: 'Table already closed' });
    await environment.pass(200);
    expect(session.handles.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    handle().send();
    environment.paint();
    expect(observer.snapshot.value.state.kind).toBe('live');
  });

  it('waits for a table that is not there yet, and says so', async () => {
    server.tables.delete('final_ui');
    const observer = view.observe();
    view.attach(session);
    await settle();
    environment.paint();
    expect(observer.snapshot.value.state).toEqual({
      kind: 'loading',
      reason: 'The table server has no final_ui yet.',
    });
    server.tables.set('final_ui', rows);
    await environment.pass(10_000);
    handle().send();
    environment.paint();
    expect(observer.snapshot.value.state.kind).toBe('live');
  });

  it('fetches again when a viewport is never answered', async () => {
    view.observe();
    view.attach(session);
    await environment.pass(10_200);
    expect(session.handles).toHaveLength(2);
  });

  it('ignores pages of a handle that it has given up', async () => {
    const observer = await liveObserver();
    const old = handle();
    view.detach('gone');
    old.send();
    environment.paint();
    expect(observer.snapshot.value.state.kind).toBe('stale');
  });

  it('closes a handle that arrives after the connection is gone', async () => {
    view.observe();
    view.attach(session);
    view.detach('gone');
    await settle();
    expect(session.handles.every(({ isOpen }) => !isOpen)).toBe(true);
  });

  it('shows nothing of the rows after they were to be forgotten', async () => {
    const observer = await liveObserver();
    view.detach('gone');
    view.forget();
    environment.paint();
    expect(observer.snapshot.value).toMatchObject({ state: { kind: 'loading' }, size: 0, rows: [] });
  });

  it('says that it is abandoned when the last observer leaves, and closes its handle when told so', async () => {
    const one = await liveObserver();
    const two = view.observe();
    one.leave();
    expect(abandoned).not.toHaveBeenCalled();
    two.leave();
    expect(abandoned).toHaveBeenCalledOnce();
    view.close();
    expect(handle().isOpen).toBe(false);
  });

  it('says that the server is heard of at every page', async () => {
    await liveObserver();
    handle().send();
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('keeps a page, its size included, for as long as it is held', async () => {
    server.generation = 1;
    const observer = await liveObserver();
    server.generation = 2;
    rows.length = 50;
    isHeld = true;
    handle().send();
    environment.paint();
    expect([view.shown, view.waiting]).toEqual([1, 2]);
    expect(observer.snapshot.value).toMatchObject({ size: 100, generation: 1 });
    isHeld = false;
    environment.paint();
    expect([view.shown, view.waiting]).toEqual([2, undefined]);
    expect(observer.snapshot.value).toMatchObject({ size: 50, generation: 2 });
  });

  it('gives up what an observer wanted who has left', async () => {
    await liveObserver(0, 4);
    const high = view.observe();
    high.setWindow({ first: 20, last: 24 });
    handle().send();
    high.leave();
    expect(handle().looks.at(-1)).toEqual([0, 4]);
  });

  it('takes the columns that the server has after a restart, and compares nothing across the change', async () => {
    const observer = await liveObserver();
    view.detach('gone');
    server.columns.set('final_ui', [
      { name: 'userId', kind: 'text' },
      { name: 'score', kind: 'integer' },
    ]);
    rows[0] = ['u0', 77];
    session = new FakeSession(server);
    view.attach(session);
    await settle();
    handle().send();
    environment.paint();
    expect(observer.snapshot.value.columns.map(({ name }) => name)).toEqual(['userId', 'score']);
    expect(observer.snapshot.value.rows[0]?.changes).toBeNull();
  });

  it('reports one line when the table fails, and none for further tries', async () => {
    await liveObserver();
    server.tables.delete('final_ui');
    handle().fail('Table already closed');
    await environment.pass(60_000);
    expect(environment.reports).toEqual(['livejoin final_ui: live -> stale: Table already closed']);
  });
});

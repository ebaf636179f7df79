import { beforeEach, describe, expect, it } from 'vitest';
import { DECLARATION, FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';
import type { Declaration } from '../src/declaration';
import { LivejoinHub } from '../src/hub';
import type { Column } from '../src/table-server';
import type { ViewObserver } from '../src/view/view-observer';

const ORDERS: Declaration = {
  ...DECLARATION,
  left: { name: 'orders', table: 'orders_ui', topicField: 'ordersTopic', keep: 'all' },
  on: [['order', 'id']],
};
const OTHERS: readonly Column[] = [
  { name: 'order', kind: 'decimal', key: true, source: 'orders' },
  { name: 'constructor', kind: 'date', source: 'details' },
];

describe('a server that joins something else', () => {
  let environment: FakeEnvironment;
  let server: FakeTableServer;
  let hub: LivejoinHub;
  let joined: ViewObserver;

  beforeEach(async () => {
    environment = new FakeEnvironment();
    server = new FakeTableServer();
    server.answersAtOnce = true;
    server.generation = 1;
    for (const table of ['events_ui', 'details_ui', 'final_ui']) server.show(table, [['u1', 1]]);
    hub = new LivejoinHub({ url: 'host' }, { environment, server });
    hub.connect('right');
    joined = watch('final_ui');
    await draw();
  });

  function watch(table: string): ViewObserver {
    const observer = hub.observe({ table });
    observer.setWindow({ first: 0, last: 9 });
    return observer;
  }

  async function draw(): Promise<void> {
    await settle();
    environment.paint();
  }

  function cells(observer: ViewObserver): unknown {
    return observer.snapshot.value.rows.map((row) => row.cells);
  }

  /** The tables change behind the scenes; nobody is told of it by rows. */
  function redeclare(): void {
    server.generation = 2;
    for (const table of ['orders_ui', 'details_ui', 'final_ui']) {
      server.tables.set(table, [['12.30', '2024-12-31']]);
      server.columns.set(table, OTHERS);
    }
    server.declare(ORDERS);
  }

  it('says so, once for all who listen', () => {
    const heard: unknown[] = [];
    hub.declaration.subscribe((declaration) => heard.push(declaration));
    expect(hub.declaration.value).toEqual(DECLARATION);
    server.declare({ ...DECLARATION });
    redeclare();
    expect(heard).toEqual([ORDERS]);
  });

  it('is asked for its tables at once; the rows stay, and are never said to be in trouble', async () => {
    const states = new Set<string>();
    joined.snapshot.subscribe(({ state }) => states.add(state.kind));
    redeclare();
    environment.paint();
    expect(cells(joined)).toEqual([['u1', 1]]);
    await draw();
    expect(cells(joined)).toEqual([['12.30', '2024-12-31']]);
    expect(joined.snapshot.value.columns).toEqual(OTHERS);
    expect([...states]).toEqual(['live']);
    expect(environment.reports.filter((line) => line.includes('final_ui'))).toEqual([]);
  });

  it('does not wait for a table that is gone', async () => {
    const gone = watch('events_ui');
    const stays = watch('details_ui');
    await draw();
    redeclare();
    await draw();
    expect([cells(joined), cells(stays)]).toEqual([[['12.30', '2024-12-31']], [['12.30', '2024-12-31']]]);
    expect(cells(gone)).toEqual([['u1', 1]]);
    expect(gone.snapshot.value.state).toMatchObject({ kind: 'stale' });
  });

  it('may go back to what it joined before', async () => {
    const gone = watch('events_ui');
    await draw();
    redeclare();
    await draw();
    server.generation = 3;
    for (const table of ['events_ui', 'details_ui', 'final_ui']) {
      server.tables.set(table, [['u2', 2]]);
      server.columns.delete(table);
    }
    server.declare(DECLARATION);
    await draw();
    expect([cells(joined), cells(gone)]).toEqual([[['u2', 2]], [['u2', 2]]]);
  });

  it('may have been started anew meanwhile', async () => {
    server.isDown = true;
    server.latest.lose();
    redeclare();
    expect(hub.declaration.value).toEqual(DECLARATION);
    server.isDown = false;
    await environment.pass(10_000);
    environment.paint();
    expect(hub.declaration.value).toEqual(ORDERS);
    expect(cells(joined)).toEqual([['12.30', '2024-12-31']]);
  });

  it('is heard again by who logs in again, and of it by nobody who has logged out', async () => {
    hub.disconnect();
    expect(hub.declaration.value).toBeNull();
    redeclare();
    expect(hub.declaration.value).toBeNull();
    hub.connect('right');
    await draw();
    expect(hub.declaration.value).toEqual(ORDERS);
  });
});

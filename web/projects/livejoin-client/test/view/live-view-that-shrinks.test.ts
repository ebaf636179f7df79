import { FakeEnvironment, FakeTableServer, settle, type FakeTable } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { LivejoinHub } from '../../src/hub';
import type { CellValue } from '../../src/table-server';
import type { ViewObserver } from '../../src/view/view-observer';

describe('a view of a table that shrinks', () => {
  let environment: FakeEnvironment;
  let rows: CellValue[][];
  let server: FakeTableServer;

  beforeEach(() => {
    environment = new FakeEnvironment();
    rows = Array.from({ length: 100 }, (_, i) => [`u${String(i)}`, i]);
    server = new FakeTableServer();
    server.tables.set('final_ui', rows);
  });

  async function liveObserver(first: number, last: number): Promise<ViewObserver> {
    const hub = new LivejoinHub({ url: 'host' }, { environment, server });
    hub.connect('right');
    const observer = hub.observe({ table: 'final_ui' });
    observer.setWindow({ first, last });
    await settle();
    handle().send();
    environment.paint();
    return observer;
  }

  function handle(): FakeTable {
    const [opened] = server.openHandles;
    if (opened === undefined) throw new Error('nothing was fetched');
    return opened;
  }

  it('shows no hole where the table has shrunk: it waits for the rows that fill the window', async () => {
    const observer = await liveObserver(80, 99);
    rows.length = 90;
    handle().send();
    environment.paint();
    expect(observer.snapshot.value.rows).toHaveLength(20);
    expect(observer.snapshot.value.size).toBe(100);
    expect(handle().looks.at(-1)).toEqual([70, 99]);
    handle().send();
    environment.paint();
    expect(observer.snapshot.value.size).toBe(90);
    expect(observer.snapshot.value.rows.map(({ index }) => index)).toEqual(
      Array.from({ length: 20 }, (_, i) => 70 + i),
    );
  });

  it('goes on showing what comes to the end of a table that has shrunk once', async () => {
    const observer = await liveObserver(80, 119);
    rows.length = 99;
    handle().send();
    handle().send();
    environment.paint();
    for (let added = 0; added < 10; added += 1) {
      rows.push([`new${String(added)}`, added]);
      handle().send();
      environment.paint();
      expect(observer.snapshot.value.rows.at(-1)?.cells).toEqual([`new${String(added)}`, added]);
    }
    expect(handle().looks, 'what fills it up, and nothing for rows that come').toHaveLength(3);
  });

  it('shows a table that goes on shrinking while the rows that fill it up are fetched', async () => {
    const observer = await liveObserver(60, 99);
    for (let size = 90; size > 50; size -= 5) {
      rows.length = size;
      handle().send();
      handle().send();
      environment.paint();
      expect(observer.snapshot.value.size).toBe(size);
    }
  });

  it('shows the end of a table that has become shorter than where the window begins', async () => {
    const observer = await liveObserver(80, 99);
    rows.length = 5;
    handle().send();
    handle().send();
    environment.paint();
    expect(observer.snapshot.value.rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  });
});

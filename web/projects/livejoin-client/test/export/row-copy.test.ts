import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { tableFile } from '../../src/export/table-file';
import { DeadlineError } from '../../src/errors';
import { LivejoinHub } from '../../src/hub';
import type { CopiedRows } from '../../src/export/row-copy';
import type { CellValue } from '../../src/table-server';

const TABLE = 'final_ui';

describe('a copy of rows', () => {
  let environment: FakeEnvironment;
  let server: FakeTableServer;
  let hub: LivejoinHub;

  beforeEach(async () => {
    environment = new FakeEnvironment();
    server = new FakeTableServer();
    server.answersAtOnce = true;
    server.generation = 1;
    server.tables.set(TABLE, people(5));
    hub = new LivejoinHub({ url: 'host', viewportRows: 2 }, { environment, server });
    hub.connect('right');
    await settle();
  });

  function people(count: number): CellValue[][] {
    return Array.from({ length: count }, (_, number) => [`u${String(number)}`, number]);
  }

  async function all(copy: AsyncIterable<CopiedRows>): Promise<CopiedRows[]> {
    const portions: CopiedRows[] = [];
    for await (const portion of copy) portions.push(portion);
    return portions;
  }

  it('has every row once, in portions, and is closed in the end', async () => {
    const portions = await all(hub.copy({ table: TABLE }));
    expect(portions.map(({ before, size, rows }) => [before, size, rows.length])).toEqual([
      [0, 5, 2],
      [2, 5, 2],
      [4, 5, 1],
    ]);
    expect(portions.flatMap(({ rows }) => rows)).toEqual(people(5));
    expect(server.openHandles).toHaveLength(0);
  });

  it('has the columns that are wanted, in that order', async () => {
    const [first] = await all(hub.copy({ table: TABLE, columns: ['amount', 'id'] }));
    expect(first?.columns.map(({ name }) => name)).toEqual(['amount', 'id']);
    expect(first?.rows[1]).toEqual([1, 'u1']);
  });

  it('is not touched by what happens on the server meanwhile', async () => {
    const copy = hub.copy({ table: TABLE });
    await copy.next();
    server.generation = 2;
    server.show(TABLE, [['other', 9]]);
    expect((await all(copy)).flatMap(({ rows }) => rows)).toEqual(people(5).slice(2));
  });

  it('of a table without rows still has its columns', async () => {
    server.tables.set(TABLE, []);
    const [only, ...more] = await all(hub.copy({ table: TABLE }));
    expect([only?.columns.length, only?.rows.length, more.length]).toEqual([2, 0, 0]);
  });

  it('is closed when its reader loses interest', async () => {
    const copy = hub.copy({ table: TABLE });
    await copy.next();
    expect(server.openHandles).toHaveLength(1);
    await copy.return();
    expect(server.openHandles).toHaveLength(0);
  });

  it('fails, and is closed, when the server fails it or does not answer', async () => {
    const failing = hub.copy({ table: TABLE });
    await failing.next();
    server.answersAtOnce = false;
    const broken = failing.next();
    server.openHandles[0]?.fail('gone');
    await expect(broken).rejects.toThrow('gone');

    const late = hub.copy({ table: TABLE });
    server.answersAtOnce = true;
    await late.next();
    server.openHandles[0]?.fail('gone meanwhile');
    await expect(late.next()).rejects.toThrow('gone meanwhile');
    server.answersAtOnce = false;

    const silent = expect(hub.copy({ table: TABLE }).next()).rejects.toThrow('final_ui');
    await settle();
    await environment.pass(10_000);
    await silent;
    expect(server.openHandles).toHaveLength(0);
  });

  it('needs a connection', () => {
    hub.disconnect();
    expect(() => hub.copy({ table: TABLE })).toThrow('not connected');
  });

  it('is waited for as long as the server may need to sort all rows, and not for ever', async () => {
    server.isSilent = true;
    const copy = hub.copy({ table: TABLE });
    let outcome: unknown = null;
    copy.next().catch((error: unknown) => {
      outcome = error;
    });
    vi.spyOn(server.latest, 'probe').mockResolvedValue();
    await environment.pass(119_000);
    expect(outcome).toBeNull();
    await environment.pass(1_000);
    expect(outcome).toEqual(new DeadlineError(`Copying ${TABLE}`, 120_000));
  });

  it('becomes a CSV file with progress', async () => {
    const steps: number[] = [];
    const file = await tableFile(
      hub.copy({ table: TABLE }),
      { format: 'csv' },
      new AbortController().signal,
      ({ done, total }) => {
        steps.push(done / total);
      },
    );
    expect(await file.data.text()).toBe('id,amount\r\nu0,0\r\nu1,1\r\nu2,2\r\nu3,3\r\nu4,4\r\n');
    expect([file.rows, file.generation, steps]).toEqual([5, 1, [0.4, 0.8, 1]]);
  });

  it('is given up, and closed, when its file is no longer wanted', async () => {
    const controller = new AbortController();
    const file = tableFile(hub.copy({ table: TABLE }), { format: 'csv' }, controller.signal, () => {
      controller.abort();
    });
    await expect(file).rejects.toThrow();
    expect(server.openHandles).toHaveLength(0);
  });
});

import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';
import { LivejoinHub } from 'livejoin-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { CsvExport } from '../src/csv-export';

const FINAL = { table: 'final_ui' };

describe('CsvExport', () => {
  let server: FakeTableServer;
  let hub: LivejoinHub;
  let csv: CsvExport;
  let saved: string[];

  beforeEach(async () => {
    server = new FakeTableServer();
    server.answersAtOnce = true;
    server.generation = 7;
    server.tables.set('final_ui', [['u1', 1]]);
    hub = new LivejoinHub({ url: 'host' }, { environment: new FakeEnvironment(), server });
    hub.connect('right');
    await settle();
    saved = [];
    csv = new CsvExport(hub, ({ rows }, name) => saved.push(`${name}: ${String(rows)}`));
  });

  it('saves the file under a name that knows what is in it', async () => {
    await csv.start(FINAL, ({ generation }) => `generation-${String(generation)}.csv`);
    expect(saved).toEqual(['generation-7.csv: 1']);
    expect(csv.state()).toEqual({ kind: 'saved', rows: 1 });
  });

  it('saves nothing after it was cancelled, and can be started again', async () => {
    server.answersAtOnce = false;
    const first = csv.start(FINAL, () => 'first');
    await settle();
    expect(csv.state().kind).toBe('running');
    csv.cancel();
    server.openHandles[0]?.send();
    await first;
    expect([csv.state().kind, saved, server.openHandles.length]).toEqual(['idle', [], 0]);
    server.answersAtOnce = true;
    await csv.start(FINAL, () => 'second');
    expect(saved).toEqual(['second: 1']);
  });

  it('says why there is no file', async () => {
    await csv.start({ table: 'nowhere' }, () => '');
    expect(csv.state()).toEqual({ kind: 'failed', reason: 'The table server has no nowhere yet.' });
  });

  it('says so where the key may not export', async () => {
    server.rights = { role: 'viewer', name: 'ben', mayExport: false };
    hub.disconnect();
    hub.connect('right');
    await settle();
    await csv.start(FINAL, () => '');
    expect(csv.state()).toEqual({ kind: 'failed', reason: 'this key may look, and not export' });
    expect([saved, server.openHandles]).toEqual([[], []]);
  });
});

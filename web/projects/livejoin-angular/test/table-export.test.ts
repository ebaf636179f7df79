import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';
import { LivejoinHub } from 'livejoin-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { TableExport } from '../src/table-export';

const FINAL = { table: 'final_ui' };

describe('TableExport', () => {
  let server: FakeTableServer;
  let hub: LivejoinHub;
  let file: TableExport;
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
    file = new TableExport(hub, ({ rows }, name) => saved.push(`${name}: ${String(rows)}`));
  });

  it('saves the file under a name that knows what is in it', async () => {
    await file.start(FINAL, ({ generation }) => `generation-${String(generation)}.csv`);
    expect(saved).toEqual(['generation-7.csv: 1']);
    expect(file.state()).toEqual({ kind: 'saved', rows: 1 });
  });

  it('saves another format where that is wanted', async () => {
    const types: string[] = [];
    file = new TableExport(hub, ({ data }) => types.push(data.type));
    await file.start(FINAL, () => '', { format: 'json-lines' });
    await file.start(FINAL, () => '');
    expect(types).toEqual(['application/x-ndjson', 'text/csv;charset=utf-8']);
  });

  it('saves nothing after it was cancelled, and can be started again', async () => {
    server.answersAtOnce = false;
    const first = file.start(FINAL, () => 'first');
    await settle();
    expect(file.state().kind).toBe('running');
    file.cancel();
    server.openHandles[0]?.send();
    await first;
    expect([file.state().kind, saved, server.openHandles.length]).toEqual(['idle', [], 0]);
    server.answersAtOnce = true;
    await file.start(FINAL, () => 'second');
    expect(saved).toEqual(['second: 1']);
  });

  it('says why there is no file', async () => {
    await file.start({ table: 'nowhere' }, () => '');
    expect(file.state()).toEqual({ kind: 'failed', reason: 'The table server has no nowhere yet.' });
  });

  it('says so where the key may not export', async () => {
    server.rights = { role: 'viewer', name: 'ben', mayExport: false };
    hub.disconnect();
    hub.connect('right');
    await settle();
    await file.start(FINAL, () => '');
    expect(file.state()).toEqual({ kind: 'failed', reason: 'this key may look, and not export' });
    expect([saved, server.openHandles]).toEqual([[], []]);
  });
});

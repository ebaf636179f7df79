import { describe, expect, it } from 'vitest';
import { LivejoinHub } from '../src/hub';
import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';
import { FakeDoor, RIGHTS, WELCOME } from './door/fake-door';

describe('LivejoinHub', () => {
  it('connects, serves rows and forgets them at the logout', async () => {
    const environment = new FakeEnvironment();
    const server = new FakeTableServer();
    server.tables.set('users_ui', [['u1', 1]]);
    const hub = new LivejoinHub({ url: 'host' }, { environment, server });
    hub.connect('right');
    await settle();
    expect(hub.connection.value.kind).toBe('live');

    const observer = hub.observe({ table: 'users_ui' });
    observer.setWindow({ first: 0, last: 9 });
    await settle();
    server.openHandles[0]?.send();
    environment.paint();
    expect(observer.snapshot.value.rows).toHaveLength(1);
    expect(hub.receivedAt).toBe(environment.now());

    hub.disconnect();
    environment.paint();
    expect(observer.snapshot.value.rows).toHaveLength(0);
    expect(server.openHandles).toHaveLength(0);
    expect(server.latest.isOpen).toBe(false);
  });

  it('leaves nothing behind when it is disposed of', async () => {
    const environment = new FakeEnvironment();
    const server = new FakeTableServer();
    server.tables.set('users_ui', [['u1', 1]]);
    const hub = new LivejoinHub({ url: 'host' }, { environment, server });
    hub.connect('right');
    hub.observe({ table: 'users_ui' });
    await settle();
    hub.dispose();
    expect(server.openHandles).toHaveLength(0);
    expect([environment.pendingTimers, environment.networkListeners]).toEqual([0, 0]);
  });

  it('speaks with the door where no other server is brought, and comes back to it after a loss', async () => {
    const environment = new FakeEnvironment();
    const door = new FakeDoor(environment);
    const hub = new LivejoinHub({ url: 'host' }, { environment });
    const observer = hub.observe({ table: 'users_ui', columns: ['age'] });

    async function serve(age: number): Promise<void> {
      door.latest.open();
      door.latest.say(WELCOME);
      await settle();
      door.latest.say({ is: 'opened', view: 1, columns: [{ name: 'age', type: 'integer' }] });
      await settle();
      const change = { view: 1, look: 1, generation: 1, size: 1, first: 0, rows: [[age]] };
      door.latest.say({ is: 'rows', changes: [change] });
      environment.paint();
    }

    observer.setWindow({ first: 0, last: 9 });
    hub.connect('right');
    await serve(36);
    expect(observer.snapshot.value.rows.map(({ cells }) => cells)).toEqual([[36]]);
    expect(door.latest.said).toEqual([
      { do: 'login', key: 'right' },
      { do: 'open', view: 1, table: 'users_ui', columns: ['age'] },
      { do: 'look', view: 1, look: 1, first: 0, last: 9 },
    ]);

    const copying = hub.copy({ table: 'users_ui' }).next();
    door.latest.drop();
    await expect(copying).rejects.toThrow('was lost');
    environment.paint();
    expect(observer.snapshot.value).toMatchObject({ state: { kind: 'stale' }, size: 1 });
    await environment.pass(150);
    await serve(37);
    expect(observer.snapshot.value.rows.map(({ cells }) => cells)).toEqual([[37]]);
    expect(environment.reports.slice(2)).toEqual([
      'livejoin connection: live -> reconnecting: The connection to the table server was lost.',
      'livejoin connection: reconnecting -> live',
    ]);

    hub.dispose();
    await settle();
    expect([environment.pendingTimers, door.latest.state]).toEqual([0, 'closed']);
  });

  it('waits for a person where the door takes the key away', async () => {
    const environment = new FakeEnvironment();
    const door = new FakeDoor(environment);
    const hub = new LivejoinHub({ url: 'host' }, { environment });
    hub.connect('right');
    door.latest.open();
    door.latest.say(WELCOME);
    await settle();
    expect(hub.connection.value).toMatchObject({ kind: 'live', rights: RIGHTS });
    door.latest.drop(4401);
    await environment.pass(3_600_000);
    expect([hub.connection.value.kind, door.sockets.length]).toEqual(['refused', 1]);
    hub.dispose();
  });
});

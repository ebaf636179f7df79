import { describe, expect, it } from 'vitest';
import { LivejoinHub } from '../src/hub';
import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';

describe('LivejoinHub', () => {
  it('prepares, connects, serves rows and forgets them at the logout', async () => {
    const environment = new FakeEnvironment();
    const server = new FakeTableServer();
    server.tables.set('users_ui', [['u1', 1]]);
    const hub = new LivejoinHub({ url: 'host' }, { environment, server });
    hub.prepare();
    expect(server.prepared).toBe(1);

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
});

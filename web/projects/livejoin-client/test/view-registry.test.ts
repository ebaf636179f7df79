import { beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../src/connection';
import { SettingsError } from '../src/errors';
import { effectiveSettings } from '../src/settings';
import { ViewRegistry } from '../src/view-registry';
import { FakeEnvironment, settle } from './fake-environment';
import { FakeTableServer } from './fake-table-server';

describe('ViewRegistry', () => {
  let environment: FakeEnvironment;
  let server: FakeTableServer;
  let connection: Connection;
  let registry: ViewRegistry;

  beforeEach(() => {
    environment = new FakeEnvironment();
    server = new FakeTableServer();
    server.tables.set('users_ui', [['u1', 1]]);
    server.tables.set('final_ui', [['u1', 1]]);
    connection = new Connection(server, environment);
    registry = new ViewRegistry(connection, environment, effectiveSettings({ tableServer: 'host' }));
  });

  async function login(): Promise<void> {
    connection.open('right');
    await settle();
  }

  it('opens one handle for fifty observers of one table', async () => {
    await login();
    for (let i = 0; i < 50; i += 1) registry.observe({ table: 'final_ui' });
    await settle();
    expect(server.openHandles).toHaveLength(1);
  });

  it('keeps views with different columns apart', async () => {
    await login();
    registry.observe({ table: 'final_ui' });
    registry.observe({ table: 'final_ui', columns: ['userId'] });
    await settle();
    expect(server.openHandles).toHaveLength(2);
  });

  it('serves observers that came before the login', async () => {
    const observer = registry.observe({ table: 'users_ui' });
    await login();
    server.openHandles[0]?.send();
    environment.paint();
    expect(observer.snapshot.value.state.kind).toBe('live');
  });

  it('closes a view a short while after its last observer has left', async () => {
    await login();
    const observer = registry.observe({ table: 'final_ui' });
    await settle();
    observer.leave();
    expect(server.openHandles).toHaveLength(1);
    await environment.pass(2_000);
    expect(server.openHandles).toHaveLength(0);
    expect(registry.openViews).toBe(0);
  });

  it('keeps a view for a newcomer who comes in time', async () => {
    await login();
    registry.observe({ table: 'final_ui' }).leave();
    await environment.pass(1_900);
    registry.observe({ table: 'final_ui' });
    await environment.pass(3_000);
    expect(server.latest.handles).toHaveLength(1);
    expect(server.openHandles).toHaveLength(1);
  });

  it('leaves nothing open after 200 comings and goings', async () => {
    await login();
    for (let i = 0; i < 200; i += 1) {
      const observer = registry.observe({ table: 'final_ui' });
      await environment.pass(3_000);
      observer.leave();
      await environment.pass(3_000);
    }
    expect(server.openHandles).toHaveLength(0);
    expect(environment.pendingTimers).toBe(0);
  });

  it('brings every view back after a loss of the connection', async () => {
    await login();
    const users = registry.observe({ table: 'users_ui' });
    const final = registry.observe({ table: 'final_ui' });
    await settle();
    for (const handle of server.openHandles) handle.send();
    server.latest.lose('gone');
    environment.paint();
    expect([users, final].map(({ snapshot }) => snapshot.value.state.kind)).toEqual(['stale', 'stale']);
    await environment.pass(150);
    for (const handle of server.openHandles) handle.send();
    environment.paint();
    expect([users, final].map(({ snapshot }) => snapshot.value.state.kind)).toEqual(['live', 'live']);
    expect(server.openHandles).toHaveLength(2);
  });

  it('knows when any table was last heard of', async () => {
    expect(registry.receivedAt).toBeNull();
    await login();
    registry.observe({ table: 'users_ui' });
    await settle();
    server.openHandles[0]?.send();
    expect(registry.receivedAt).toBe(environment.now());
  });

  it('refuses a name that is not one', () => {
    expect(() => registry.observe({ table: 'a/b' })).toThrow(SettingsError);
  });
});

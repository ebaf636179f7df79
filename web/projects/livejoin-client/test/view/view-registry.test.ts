import { beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../src/connection/connection';
import { SettingsError } from '../../src/errors';
import { effectiveSettings } from '../../src/settings';
import { ViewRegistry } from '../../src/view/view-registry';
import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';

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
    const settings = effectiveSettings({ url: 'host' });
    connection = new Connection(server, environment, settings);
    registry = new ViewRegistry(connection, environment, settings);
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
    connection.close();
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

  it('shows a swap that happened while the connection was away in one frame', async () => {
    server.generation = 1;
    await login();
    const users = registry.observe({ table: 'users_ui' });
    const final = registry.observe({ table: 'final_ui' });
    await settle();
    for (const handle of server.openHandles) handle.send();
    environment.paint();
    server.latest.lose('gone');
    environment.paint();
    await environment.pass(150);
    server.generation = 2;
    server.openHandles[0]?.send();
    environment.paint();
    expect([users, final].map(({ snapshot }) => snapshot.value.generation)).toEqual([1, 1]);
    server.openHandles[1]?.send();
    environment.paint();
    expect([users, final].map(({ snapshot }) => snapshot.value.generation)).toEqual([2, 2]);
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

  it('keeps views with another sort or filter apart, and shares those that mean the same', async () => {
    await login();
    const table = 'final_ui';
    const byBalance = { column: 'amount', direction: 'descending' } as const;
    registry.observe({ table, sort: [byBalance] });
    registry.observe({ table, sort: [byBalance], columns: undefined });
    registry.observe({ table, filter: [{ column: 'amount', is: 'greater', to: 5 }] });
    registry.observe({ table });
    await settle();
    expect(server.openHandles.map(({ view }) => [view.sort.length, view.filter.length])).toEqual([
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
  });

  it('asks for the same sort again after a loss of the connection', async () => {
    await login();
    registry.observe({ table: 'final_ui', sort: [{ column: 'amount', direction: 'ascending' }] });
    await settle();
    server.latest.lose('gone');
    await environment.pass(150);
    expect(server.openHandles.map(({ view }) => view.sort[0]?.column)).toEqual(['amount']);
  });

  it('shows another generation of all tables in one frame, when the last of them has arrived', async () => {
    server.generation = 1;
    await login();
    const users = registry.observe({ table: 'users_ui' });
    const final = registry.observe({ table: 'final_ui' });
    for (const observer of [users, final]) observer.setWindow({ first: 0, last: 9 });
    await settle();
    const [usersHandle, finalHandle] = server.openHandles;
    usersHandle?.send();
    finalHandle?.send();
    environment.paint();
    server.generation = 2;
    usersHandle?.send();
    environment.paint();
    expect([users, final].map(({ snapshot }) => snapshot.value.generation)).toEqual([1, 1]);
    finalHandle?.send();
    environment.paint();
    expect([users, final].map(({ snapshot }) => snapshot.value.generation)).toEqual([2, 2]);
  });

  it('closes everything at its end, whoever still watches', async () => {
    await login();
    const observer = registry.observe({ table: 'final_ui' });
    await settle();
    registry.close();
    observer.leave();
    connection.dispose();
    expect(server.openHandles).toHaveLength(0);
    expect(environment.pendingTimers).toBe(0);
  });
});

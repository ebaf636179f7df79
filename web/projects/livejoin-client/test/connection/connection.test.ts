import { beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../src/connection/connection';
import { SettingsError } from '../../src/errors';
import { effectiveSettings } from '../../src/settings';
import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';

describe('Connection', () => {
  let environment: FakeEnvironment;
  let server: FakeTableServer;
  let connection: Connection;

  beforeEach(() => {
    environment = new FakeEnvironment();
    server = new FakeTableServer();
    connection = new Connection(server, environment, effectiveSettings({ url: 'host' }));
  });

  it('is idle until it has a key, and live with the rights of the key after the login', async () => {
    expect(connection.state.value.kind).toBe('idle');
    server.rights = { role: 'viewer', name: 'ben', mayExport: false };
    connection.open('right');
    expect(connection.state.value.kind).toBe('connecting');
    await settle();
    expect(connection.state.value).toEqual({
      kind: 'live',
      since: environment.now(),
      rights: { role: 'viewer', name: 'ben', mayExport: false },
    });
  });

  it('logs in once, however often it is asked with the same key', async () => {
    connection.open('right');
    connection.open('right');
    await settle();
    connection.open('right');
    expect(server.logins).toBe(1);
  });

  it('does not try a refused key again', async () => {
    connection.open('wrong');
    await environment.pass(3_600_000);
    expect(connection.state.value.kind).toBe('refused');
    expect(server.logins).toBe(1);
  });

  it('does not try a key again that was withdrawn', async () => {
    connection.open('right');
    await settle();
    server.latest.withdrawKey();
    expect(connection.state.value).toEqual({
      kind: 'refused',
      reason: 'The table server does not accept this key.',
    });
    await environment.pass(3_600_000);
    expect([connection.state.value.kind, connection.session, server.logins]).toEqual(['refused', null, 1]);
    expect(server.latest.isOpen).toBe(false);
    expect(environment.pendingTimers).toBe(0);
  });

  it('comes back with the rights that the key has then', async () => {
    connection.open('right');
    await settle();
    server.rights = { role: 'viewer', name: 'ana', mayExport: true };
    server.latest.lose();
    await environment.pass(150);
    expect(connection.state.value).toMatchObject({ kind: 'live', rights: { role: 'viewer' } });
  });

  it('takes another key after a refusal', async () => {
    connection.open('wrong');
    await settle();
    connection.open('right');
    await settle();
    expect(connection.state.value.kind).toBe('live');
  });

  it('fails without another try where the settings cannot be right', async () => {
    server.open = () => Promise.reject(new SettingsError('There is no address to connect to.'));
    connection.open('right');
    await environment.pass(60_000);
    expect(connection.state.value).toEqual({ kind: 'failed', reason: 'There is no address to connect to.' });
  });

  it('keeps trying while the server is down, further and further apart, and says when', async () => {
    server.isDown = true;
    connection.open('right');
    await settle();
    expect(connection.state.value).toMatchObject({
      kind: 'reconnecting',
      attempt: 1,
      nextTry: environment.now() + 150,
    });
    await environment.pass(60_000);
    expect(server.logins).toBeGreaterThan(10);
    expect(server.logins).toBeLessThan(20);
  });

  it('heals when the server is back', async () => {
    connection.open('right');
    await settle();
    server.isDown = true;
    server.latest.lose();
    await environment.pass(60_000);
    server.isDown = false;
    await environment.pass(10_000);
    expect(connection.state.value.kind).toBe('live');
  });

  it('gives up the lost session before it opens another', async () => {
    connection.open('right');
    await settle();
    const first = server.latest;
    first.lose();
    expect(first.isOpen).toBe(false);
    expect(connection.session).toBeNull();
    await environment.pass(150);
    expect(connection.session).toBe(server.latest);
    expect(server.sessions).toHaveLength(2);
  });

  it('tries at once when a person asks for it', async () => {
    server.isDown = true;
    connection.open('right');
    await environment.pass(30_000);
    server.isDown = false;
    connection.retryNow();
    await settle();
    expect(connection.state.value.kind).toBe('live');
  });

  it('closes a session that arrives after the person has logged out', async () => {
    connection.open('right');
    connection.close();
    await settle();
    expect(connection.state.value.kind).toBe('idle');
    expect(server.latest.isOpen).toBe(false);
  });

  it('reports one line for a change of state and none for further tries', async () => {
    server.isDown = true;
    connection.open('right');
    await environment.pass(60_000);
    expect(environment.reports).toEqual([
      'livejoin connection: idle -> connecting',
      'livejoin connection: connecting -> reconnecting: The table server is not reachable.',
    ]);
  });

  it('says what to set where the key is missing, and asks nobody', () => {
    connection.open('  ');
    expect(connection.state.value).toEqual({
      kind: 'failed',
      reason: 'There is no key: set "key", or call connect(key) when the person has typed it.',
    });
    expect(server.logins).toBe(0);
  });

  it('notices a server that has fallen silent, and heals when it speaks again', async () => {
    connection.open('right');
    await settle();
    server.isSilent = true;
    await environment.pass(9_000);
    expect(connection.state.value).toMatchObject({
      kind: 'reconnecting',
      reason: 'The table server does not answer.',
    });
    server.isSilent = false;
    await environment.pass(10_000);
    // The login that was never answered keeps its place: at most one attempt is in flight.
    expect(server.logins).toBe(2);
  });

  it('asks nothing while the server is heard of', async () => {
    connection.open('right');
    await settle();
    for (let second = 0; second < 60; second += 1) {
      await environment.pass(1_000);
      connection.heard();
    }
    expect(server.latest.probes).toBe(0);
  });

  it('asks at once when the network is lost, and keeps a connection that needs none', async () => {
    connection.open('right');
    await settle();
    environment.network(false);
    await settle();
    expect(server.latest.probes).toBe(1);
    expect(connection.state.value.kind).toBe('live');
  });

  it('tries at once when the network is back', async () => {
    server.isDown = true;
    connection.open('right');
    await environment.pass(60_000);
    const before = server.logins;
    server.isDown = false;
    environment.network(true);
    await settle();
    expect(server.logins).toBe(before + 1);
    expect(connection.state.value.kind).toBe('live');
  });

  it('gives a login up that is never answered, and tries again', async () => {
    server.isSilent = true;
    connection.open('right');
    await environment.pass(4_000);
    expect(connection.state.value).toMatchObject({
      kind: 'reconnecting',
      reason: 'Logging in took longer than 4 s.',
    });
    server.isSilent = false;
    await environment.pass(200);
    expect(connection.state.value.kind).toBe('live');
  });

  it.each(['a person', 'the network'])('asks anew at the word of %s while a login hangs', async (who) => {
    const givenUp: boolean[] = [];
    const open = server.open.bind(server);
    server.open = (key, signal) => {
      signal?.addEventListener('abort', () => givenUp.push(true));
      return open(key);
    };
    server.isSilent = true;
    connection.open('right');
    await environment.pass(100);
    server.isSilent = false;
    if (who === 'a person') connection.retryNow();
    else environment.network(true);
    await settle();
    expect([connection.state.value.kind, server.logins, givenUp]).toEqual(['live', 2, [true]]);
    await environment.pass(60_000);
    expect([connection.state.value.kind, server.logins]).toEqual(['live', 2]);
  });

  it('closes a session that comes after its login was given up', async () => {
    const open = server.open.bind(server);
    let answer = (): void => undefined;
    server.open = async (key) => {
      await new Promise<void>((answered) => {
        answer = answered;
      });
      return open(key);
    };
    connection.open('right');
    await environment.pass(4_000);
    answer();
    await settle();
    expect(server.latest.isOpen).toBe(false);
  });

  it('leaves no timer and no listener behind', async () => {
    connection.open('right');
    await settle();
    connection.dispose();
    expect([environment.pendingTimers, environment.networkListeners]).toEqual([0, 0]);
    expect(server.latest.isOpen).toBe(false);
  });
});

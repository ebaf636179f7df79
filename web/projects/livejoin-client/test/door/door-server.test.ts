import { FakeEnvironment } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { DoorServer } from '../../src/door/door-server';
import { KeyRefusedError, ServerError, SettingsError } from '../../src/errors';
import { effectiveSettings } from '../../src/settings';
import type { Session } from '../../src/table-server';
import { FakeDoor, RIGHTS, WELCOME } from './fake-door';

describe('DoorServer', () => {
  let environment: FakeEnvironment;
  let door: FakeDoor;
  let server: DoorServer;
  let attempt: AbortController;

  beforeEach(() => {
    environment = new FakeEnvironment();
    door = new FakeDoor(environment);
    attempt = new AbortController();
    server = new DoorServer(environment, effectiveSettings({ url: 'host:8080/' }));
  });

  function come(key = 'right'): Promise<Session> {
    const coming = server.open(key, attempt.signal);
    door.latest.open();
    return coming;
  }

  it('logs in with the key, first of all, and knows what it opens', async () => {
    const coming = come('secret');
    door.latest.say(WELCOME);
    const { rights } = await coming;
    expect(rights).toEqual(RIGHTS);
    expect([door.latest.url, door.latest.said]).toEqual([
      'ws://host:8080/tables',
      [{ do: 'login', key: 'secret' }],
    ]);
    expect(environment.pendingTimers).toBe(0);
  });

  it('knows how far the clock of the server is before its own, where the server tells', async () => {
    const first = come();
    door.latest.say({ ...WELCOME, now: environment.now() - 70_000 });
    expect((await first).clockAhead).toBe(-70_000);
    const second = come();
    door.latest.say(WELCOME);
    expect((await second).clockAhead).toBe(0);
  });

  it('knows a wrong key, and leaves nothing open', async () => {
    const coming = come('wrong');
    door.latest.say({ is: 'refused', why: 'key', reason: 'Wrong.' });
    await expect(coming).rejects.toThrow(KeyRefusedError);
    expect(door.latest.state).toBe('closed');
  });

  it('knows a wrong key by the closing of the socket, too', async () => {
    const coming = come('wrong');
    door.latest.drop(4401);
    await expect(coming).rejects.toThrow(KeyRefusedError);
  });

  it('does not take a server that has too many guests for a wrong key, and passes its words on', async () => {
    const coming = come();
    door.latest.say({ is: 'refused', why: 'limit', reason: 'There are 100 connections already.' });
    await expect(coming).rejects.toThrow(new ServerError('There are 100 connections already.'));
  });

  it('says where nobody is', async () => {
    const coming = server.open('right', attempt.signal);
    door.latest.drop();
    await expect(coming).rejects.toThrow('The table server at http://host:8080 is not reachable.');
  });

  it('says that a server went away during the login', async () => {
    const coming = come();
    door.latest.drop();
    await expect(coming).rejects.toThrow('The connection to the table server was lost.');
  });

  it.each(['opening', 'open'])(
    'leaves nothing of a login that is given up with its socket %s',
    async (state) => {
      const coming = state === 'open' ? come() : server.open('right', attempt.signal);
      const outcome = expect(coming).rejects.toThrow('The login was given up.');
      attempt.abort();
      await outcome;
      expect(door.latest.state).toBe('closed');
      door.latest.say(WELCOME);
    },
  );

  it('does not go on with somebody who is not a livejoin', async () => {
    const coming = come();
    door.latest.say({ is: 'pong', id: 1 });
    await expect(coming).rejects.toThrow('"pong" before a login');
    expect(door.latest.state).toBe('closed');
  });

  it('passes on why a browser does not even try', async () => {
    environment.openSocket = () => {
      throw new Error('An insecure WebSocket may not be opened.');
    };
    await expect(server.open('right', attempt.signal)).rejects.toThrow('An insecure WebSocket');
  });

  it('says what to set where no address is', async () => {
    const nowhere = new DoorServer(environment, effectiveSettings({ url: '' }));
    await expect(nowhere.open('right', attempt.signal)).rejects.toThrow(SettingsError);
  });
});

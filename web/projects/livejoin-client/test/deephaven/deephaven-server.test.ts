import { beforeEach, describe, expect, it } from 'vitest';
import { DeephavenServer } from '../../src/deephaven/deephaven-server';
import { DeadlineError, KeyRefusedError, SettingsError } from '../../src/errors';
import { effectiveSettings } from '../../src/settings';
import { FakeEnvironment, settle } from 'livejoin-client/testing';
import { FakeDeephaven } from './fake-deephaven';

describe('DeephavenServer', () => {
  let environment: FakeEnvironment;
  let deephaven: FakeDeephaven;
  let server: DeephavenServer;

  beforeEach(() => {
    environment = new FakeEnvironment();
    deephaven = new FakeDeephaven();
    environment.module = () => Promise.resolve({ default: deephaven.api });
    server = new DeephavenServer(environment, effectiveSettings({ url: 'host:10000' }));
  });

  function failLogin(detail: string): void {
    deephaven.login = () => {
      deephaven.connection.fire('disconnect');
      deephaven.connection.fire('requestfailed', detail);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the real one rejects with
      return Promise.reject({ type: 'disconnect' });
    };
  }

  it('logs in with the pre-shared key', async () => {
    await server.open('secret');
    expect(deephaven.credentials).toEqual([
      { type: 'io.deephaven.authentication.psk.PskAuthenticationHandler', token: 'secret' },
    ]);
  });

  it.each([
    'Failed to connect: Error: Authentication details invalid',
    'Failed to connect: Error: UNAUTHENTICATED',
  ])('knows a wrong key by "%s" and stops the library from trying it again', async (detail) => {
    failLogin(detail);
    await expect(server.open('wrong')).rejects.toThrow(KeyRefusedError);
    expect(deephaven.disconnects).toBe(1);
  });

  it('does not take an absent server for a wrong key', async () => {
    failLogin('Failed to connect: Error: Response closed without trailers');
    await expect(server.open('right')).rejects.not.toBeInstanceOf(KeyRefusedError);
    expect(deephaven.disconnects).toBe(1);
  });

  it('stops waiting for a server that is starting and never answers', async () => {
    let answer: () => void = () => undefined;
    deephaven.login = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const outcome = expect(server.open('right')).rejects.toThrow(DeadlineError);
    await environment.pass(4_000);
    await outcome;
    expect(deephaven.disconnects).toBe(0);
    answer();
    await settle();
    expect(deephaven.disconnects).toBe(1);
  });

  it('does not log in where nothing answers', async () => {
    environment.reach = () => Promise.reject(new Error('timeout'));
    await expect(server.open('right')).rejects.toThrow(
      'The table server at http://host:10000 is not reachable.',
    );
    expect(deephaven.credentials).toEqual([]);
  });

  it('loads the library ahead of the login, and never complains about it', async () => {
    server.prepare();
    await server.open('right');
    expect(environment.imports).toHaveLength(1);
    new DeephavenServer(environment, effectiveSettings({ url: '' })).prepare();
    await settle();
  });

  it('says what to set where no server is configured', async () => {
    const nowhere = new DeephavenServer(environment, effectiveSettings({ url: '' }));
    await expect(nowhere.open('right')).rejects.toThrow(SettingsError);
  });
});

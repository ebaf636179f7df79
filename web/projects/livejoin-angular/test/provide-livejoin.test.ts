// @vitest-environment happy-dom
import { FakeApplication } from './angular';
import { provideZonelessChangeDetection, type Provider } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import {
  injectConnection,
  LIVEJOIN_HUB,
  provideLivejoin,
  withEnvironment,
  withTableServer,
  withTimings,
} from 'livejoin-angular';
import { FakeEnvironment, FakeTableServer, settle } from 'livejoin-angular/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('provideLivejoin', () => {
  let server: FakeTableServer;
  let environment: FakeEnvironment;

  beforeEach(() => {
    new FakeApplication().destroy();
    server = new FakeTableServer();
    environment = new FakeEnvironment();
  });

  afterEach(() => {
    TestBed.resetTestingModule();
  });

  function start(livejoin: ReturnType<typeof provideLivejoin>): void {
    const providers: (Provider | ReturnType<typeof provideLivejoin>)[] = [
      provideZonelessChangeDetection(),
      livejoin,
    ];
    TestBed.configureTestingModule({ providers });
    TestBed.inject(LIVEJOIN_HUB);
  }

  it('logs in with the key, once for the whole application', async () => {
    start(
      provideLivejoin({ url: 'host', key: 'right' }, withTableServer(server), withEnvironment(environment)),
    );
    await settle();
    const states = TestBed.runInInjectionContext(() => [
      injectConnection().state(),
      injectConnection().state(),
    ]);
    expect(states.map(({ kind }) => kind)).toEqual(['live', 'live']);
    expect(server.logins).toBe(1);
  });

  it('waits for the person where there is no key', () => {
    start(provideLivejoin({ url: 'host' }, withTableServer(server), withEnvironment(environment)));
    expect(server.logins).toBe(0);
  });

  it('says what to set where the key is empty', () => {
    start(provideLivejoin({ url: 'host', key: '' }, withTableServer(server), withEnvironment(environment)));
    const state = TestBed.inject(LIVEJOIN_HUB).connection.value;
    expect(state.kind === 'failed' && state.reason).toContain('set "key"');
  });

  it('says what to set where the URL is empty', async () => {
    start(provideLivejoin({ url: '', key: 'k' }, withEnvironment(environment)));
    await settle();
    const state = TestBed.inject(LIVEJOIN_HUB).connection.value;
    expect(state.kind === 'failed' && state.reason).toContain('set "url"');
  });

  it('takes timings as a feature', async () => {
    start(
      provideLivejoin(
        { url: 'host', key: 'right' },
        withTableServer(server),
        withEnvironment(environment),
        withTimings({ silenceMs: 100 }),
      ),
    );
    await environment.pass(100);
    expect(server.latest.probes).toBe(1);
  });

  it('leaves nothing behind when the application ends', async () => {
    start(
      provideLivejoin({ url: 'host', key: 'right' }, withTableServer(server), withEnvironment(environment)),
    );
    await settle();
    TestBed.resetTestingModule();
    expect(server.latest.isOpen).toBe(false);
    expect([environment.pendingTimers, environment.networkListeners]).toEqual([0, 0]);
  });
});

// @vitest-environment happy-dom
import '../angular';
import { provideZonelessChangeDetection } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { injectConnection, injectLiveTable } from 'livejoin-angular';
import { FakeEnvironment, FakeTableServer, provideFakeLivejoin, settle } from 'livejoin-angular/testing';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  TestBed.resetTestingModule();
});

it('without a fake environment, rows are delivered by the frames of the browser', async () => {
  const server = new FakeTableServer();
  server.show('users_ui', [['ada', 1]]);
  TestBed.configureTestingModule({
    providers: [provideZonelessChangeDetection(), provideFakeLivejoin(server)],
  });
  const live = TestBed.runInInjectionContext(() => injectLiveTable('users_ui'));
  TestBed.tick();
  await vi.waitFor(() => {
    expect(live.rows()).toHaveLength(1);
  });
});

it('with one, nothing is delivered before the test paints', async () => {
  const server = new FakeTableServer();
  const time = new FakeEnvironment();
  server.show('users_ui', [['ada', 1]]);
  TestBed.configureTestingModule({
    providers: [provideZonelessChangeDetection(), provideFakeLivejoin(server, time)],
  });
  const { live, connection } = TestBed.runInInjectionContext(() => ({
    live: injectLiveTable('users_ui'),
    connection: injectConnection(),
  }));
  TestBed.tick();
  await settle();
  expect([connection.state().kind, live.rows().length]).toEqual(['live', 0]);
  time.paint();
  expect(live.rows()).toHaveLength(1);
});

// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { inject } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Access } from '../../../src/app/access/access';
import { keyStore } from '../../../src/app/access/key-store';

describe('who may look', () => {
  const asked = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
  let application: FakeApplication;

  beforeEach(() => {
    vi.stubGlobal('fetch', asked);
    application = new FakeApplication();
    keyStore.write('right');
  });

  afterEach(() => {
    application.destroy();
    vi.unstubAllGlobals();
    asked.mockReset();
    sessionStorage.clear();
  });

  it('comes in with the key of the tab, and stays while the server is away', async () => {
    const access = await application.inject(() => inject(Access));
    expect(access.entered()).toBe(true);
    application.server.isDown = true;
    application.server.latest.lose();
    await application.draw();
    expect([access.state().kind, access.entered()]).toEqual(['reconnecting', true]);
  });

  it('is led back to the login by a key that was withdrawn, and the tab forgets it', async () => {
    const access = await application.inject(() => inject(Access));
    application.server.latest.withdrawKey();
    await application.draw();
    expect([access.state().kind, access.entered(), keyStore.read()]).toEqual(['refused', false, null]);
  });

  it('has the server end the session at a logout, and the tab forget its key, whatever becomes of that', async () => {
    const access = await application.inject(() => inject(Access));
    asked.mockRejectedValue(new TypeError('no network'));
    access.logout();
    await application.draw();
    const [path, init] = asked.mock.calls[0] ?? [];
    expect([path, init?.method, init?.keepalive]).toEqual(['sign-in/end', 'POST', true]);
    expect(init?.headers).toEqual({ authorization: 'Bearer right' });
    expect([access.state().kind, keyStore.read()]).toEqual(['idle', null]);
  });

  it('asks the server for nothing where a logout finds no key', async () => {
    const access = await application.inject(() => inject(Access));
    keyStore.forget();
    access.logout();
    expect(asked).not.toHaveBeenCalled();
  });
});

// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { inject } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Access } from '../../../src/app/access/access';
import { keyStore } from '../../../src/app/access/key-store';

describe('who may look', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
    keyStore.write('right');
  });

  afterEach(() => {
    application.destroy();
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
});

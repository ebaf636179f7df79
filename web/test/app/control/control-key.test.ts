// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { inject } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyStore } from '../../../src/app/access/key-store';
import { ControlKey } from '../../../src/app/control/control-key';

describe('the key for control messages', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
    keyStore.write('of the login');
  });

  afterEach(() => {
    application.destroy();
    sessionStorage.clear();
  });

  async function keyOf(role: 'viewer' | 'operator'): Promise<ControlKey> {
    application.server.rights = { role, name: 'ana', mayExport: true };
    return application.inject(() => inject(ControlKey));
  }

  it('is the one of the login where that is an operator’s', async () => {
    const key = await keyOf('operator');
    expect([key.isOwn(), key.value()]).toEqual([false, 'of the login']);
  });

  it('has to be typed where the one of the login may only look, and stays in the tab', async () => {
    const key = await keyOf('viewer');
    expect([key.isOwn(), key.value()]).toEqual([true, '']);
    key.remember('of an operator');
    expect([key.value(), keyStore.read()]).toEqual(['of an operator', 'of the login']);
    expect(sessionStorage.getItem('livejoin.control-key')).toBe('of an operator');
    key.forget();
    expect(key.value()).toBe('');
  });

  it('is the same while the page connects again', async () => {
    const key = await keyOf('viewer');
    application.server.isDown = true;
    application.server.latest.lose();
    await application.draw();
    expect(key.isOwn()).toBe(true);
  });
});

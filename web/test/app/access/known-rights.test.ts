// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { inject } from '@angular/core';
import { injectConnection, type ConnectionRef } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KnownRights } from '../../../src/app/access/known-rights';

const VIEWER = { role: 'viewer', name: 'ben', mayExport: false } as const;

describe('what is known of the rights of a key', () => {
  let application: FakeApplication;
  let rights: KnownRights;
  let connection: ConnectionRef;

  beforeEach(async () => {
    application = new FakeApplication();
    application.server.rights = VIEWER;
    rights = await application.inject(() => inject(KnownRights));
    connection = await application.inject(() => injectConnection());
  });

  afterEach(() => {
    application.destroy();
  });

  it('is what the server says', () => {
    expect(rights.value()).toEqual(VIEWER);
  });

  it('stays while the page connects again, also where nobody has asked before', async () => {
    application.server.isDown = true;
    application.server.latest.lose();
    await application.draw();
    expect([connection.state().kind, rights.value()]).toEqual(['reconnecting', VIEWER]);
  });

  it('is what the server says when it is back', async () => {
    application.server.rights = { ...VIEWER, role: 'operator' };
    application.server.latest.lose();
    await application.environment.pass(150);
    await application.draw();
    expect(rights.value()?.role).toBe('operator');
  });

  it('goes with the key, be it that somebody logs out or that it is withdrawn', async () => {
    application.server.latest.withdrawKey();
    await application.draw();
    expect([connection.state().kind, rights.value()]).toEqual(['refused', null]);
    connection.connect('right');
    await application.draw();
    expect(rights.value()).toEqual(VIEWER);
    connection.disconnect();
    await application.draw();
    expect(rights.value()).toBeNull();
  });
});

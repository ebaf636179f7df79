// @vitest-environment happy-dom
import { FakeApplication } from './angular';
import { injectConnection, injectLiveTable } from 'livejoin-angular';
import { expect, it } from 'vitest';

it('the connection can be left, taken up again and hurried', async () => {
  const application = new FakeApplication();
  application.server.show('users_ui', [['u1', 1]]);
  const live = await application.inject(() => injectLiveTable('users_ui'));
  const connection = await application.inject(() => injectConnection());
  expect(connection.state().kind).toBe('live');
  expect(connection.receivedAt()).toBe(application.environment.now());

  connection.disconnect();
  await application.draw();
  expect([connection.state().kind, live.rows().length]).toEqual(['idle', 0]);

  application.server.isDown = true;
  connection.connect('right');
  await application.draw();
  expect(connection.state().kind).toBe('reconnecting');
  application.server.isDown = false;
  connection.retryNow();
  await application.draw();
  expect([connection.state().kind, live.rows().length]).toEqual(['live', 1]);
  application.destroy();
});

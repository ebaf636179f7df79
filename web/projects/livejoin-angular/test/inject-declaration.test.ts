// @vitest-environment happy-dom
import { FakeApplication } from './angular';
import { injectConnection, injectDeclaration } from 'livejoin-angular';
import { DECLARATION } from 'livejoin-angular/testing';
import { expect, it } from 'vitest';

it('what is joined is a signal, from the login to the logout', async () => {
  const application = new FakeApplication();
  const declaration = await application.inject(() => injectDeclaration());
  const connection = await application.inject(() => injectConnection());
  expect(declaration()).toEqual(DECLARATION);

  const other = { ...DECLARATION, joins: ['inner'] };
  application.server.declare(other);
  expect(declaration()).toEqual(other);
  application.server.latest.lose();
  expect(declaration()).toEqual(other);

  connection.disconnect();
  expect(declaration()).toBeNull();
  application.destroy();
});

import type { EnvironmentProviders } from '@angular/core';
import { provideLivejoin, withEnvironment, withTableServer } from 'livejoin-angular';
import type { FakeEnvironment, FakeTableServer } from 'livejoin-client/testing';

/**
 * A hub that is logged in at a server in memory. With a fake environment, time stands still until the test moves it,
 * and rows are delivered when the test paints; without one they are delivered by the frames of the browser.
 */
export function provideFakeLivejoin(
  server: FakeTableServer,
  environment?: FakeEnvironment,
): EnvironmentProviders {
  server.answersAtOnce = true;
  const surroundings = environment === undefined ? [] : [withEnvironment(environment)];
  return provideLivejoin(
    { url: 'http://fake', key: server.acceptedKey },
    withTableServer(server),
    ...surroundings,
  );
}

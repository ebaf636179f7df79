import {
  type EnvironmentProviders,
  inject,
  InjectionToken,
  makeEnvironmentProviders,
  provideEnvironmentInitializer,
} from '@angular/core';
import { LivejoinHub, type LivejoinSettings } from 'livejoin-client';

export const LIVEJOIN_HUB = new InjectionToken<LivejoinHub>('the hub of livejoin');

/**
 * Gives the application its one hub. The key is not a setting: it is handed to `injectConnection().connect(key)` when
 * the person has typed it.
 */
export function provideLivejoin(settings: LivejoinSettings): EnvironmentProviders {
  return makeEnvironmentProviders([
    { provide: LIVEJOIN_HUB, useFactory: () => new LivejoinHub(settings) },
    provideEnvironmentInitializer(() => {
      inject(LIVEJOIN_HUB).prepare();
    }),
  ]);
}

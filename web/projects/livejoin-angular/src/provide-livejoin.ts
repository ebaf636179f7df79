import {
  DestroyRef,
  inject,
  InjectionToken,
  makeEnvironmentProviders,
  NgZone,
  PLATFORM_ID,
  provideEnvironmentInitializer,
  type EnvironmentProviders,
  type Provider,
} from '@angular/core';
import {
  browserEnvironment,
  LivejoinHub,
  stillEnvironment,
  type Environment,
  type LivejoinSettings,
  type TableServer,
} from 'livejoin-client';
import { injectDrawAtOnce } from './draw-at-once';
import { outsideZone } from './outside-zone';

export interface LivejoinConfig {
  /** Address of livejoin, for example `http://127.0.0.1:8080`; the scheme and a trailing slash are optional. */
  readonly url: string;
  /** Logs in at once. Left out where a person types it: it is then handed to `injectConnection().connect(key)`. */
  readonly key?: string;
}

/** Every setting that has a default. */
export type LivejoinTimings = Omit<LivejoinSettings, 'url'>;

/** What a `with...` function returns. */
export interface LivejoinFeature {
  readonly providers: readonly Provider[];
}

export const LIVEJOIN_HUB = new InjectionToken<LivejoinHub>('the hub of livejoin');
const TIMINGS = new InjectionToken<LivejoinTimings>('timings of livejoin');
const TABLE_SERVER = new InjectionToken<TableServer>('table server of livejoin');
const ENVIRONMENT = new InjectionToken<Environment>('surroundings of livejoin');

/**
 * Gives the application its one hub, which is disposed of with the application. On a server that renders pages it does
 * nothing: tables are loading there, and live in the browser.
 */
export function provideLivejoin(
  config: LivejoinConfig,
  ...features: readonly LivejoinFeature[]
): EnvironmentProviders {
  return makeEnvironmentProviders([
    features.map(({ providers }) => providers),
    { provide: LIVEJOIN_HUB, useFactory: () => hubOf(config.url) },
    provideEnvironmentInitializer(() => {
      const hub = inject(LIVEJOIN_HUB);
      const { key } = config;
      if (key === undefined || isRendering()) return;
      inject(NgZone).runOutsideAngular(() => {
        hub.connect(key);
      });
    }),
  ]);
}

/** Other limits and sizes than the defaults. */
export function withTimings(timings: LivejoinTimings): LivejoinFeature {
  return { providers: [{ provide: TIMINGS, useValue: timings }] };
}

/** Another table server than the one at the URL, for tests. */
export function withTableServer(server: TableServer): LivejoinFeature {
  return { providers: [{ provide: TABLE_SERVER, useValue: server }] };
}

/** Other surroundings than the browser's: time and frames by hand, or other places for the lines that are reported. */
export function withEnvironment(environment: Environment): LivejoinFeature {
  return { providers: [{ provide: ENVIRONMENT, useValue: environment }] };
}

function hubOf(url: string): LivejoinHub {
  const server = inject(TABLE_SERVER, { optional: true });
  const given = inject(ENVIRONMENT, { optional: true });
  const surroundings = isRendering() ? stillEnvironment() : (given ?? browserEnvironment());
  const environment = outsideZone(surroundings, inject(NgZone), injectDrawAtOnce());
  const settings = { ...inject(TIMINGS, { optional: true }), url };
  const hub = new LivejoinHub(settings, server === null ? { environment } : { environment, server });
  inject(DestroyRef).onDestroy(() => {
    hub.dispose();
  });
  return hub;
}

/** Whether this is a server that renders pages. */
function isRendering(): boolean {
  return inject(PLATFORM_ID) === 'server';
}

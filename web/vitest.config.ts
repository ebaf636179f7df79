import { defineConfig } from 'vitest/config';
import { angularJit } from './angular-jit';

/** The packages by the names under which applications install them, from their sources. */
const PACKAGES = [
  'livejoin-client/testing',
  'livejoin-client',
  'livejoin-angular/ag-grid',
  'livejoin-angular/cdk',
  'livejoin-angular/testing',
  'livejoin-angular',
];

/** It patches the timers and promises of everything beside it, so it runs in a process of its own. */
const ZONE_JS = 'projects/*/test/zone-js.test.ts';

/** A server that renders pages puts the classes of a document among the globals, so it has a process of its own, too. */
const SERVER = 'projects/*/test/server-rendering.test.ts';

export default defineConfig({
  plugins: [angularJit()],
  resolve: {
    alias: PACKAGES.map((name) => ({
      find: new RegExp(`^${name}$`),
      replacement: new URL(`./projects/${name}/src/index.ts`, import.meta.url).pathname,
    })),
  },
  test: {
    pool: 'threads',
    // No test changes anything global, so the files can share their workers.
    poolOptions: { threads: { isolate: false } },
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['projects/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [ZONE_JS, SERVER],
        },
      },
      {
        extends: true,
        // As Angular's own builds do it, because zone.js cannot see what the language itself waits for.
        esbuild: { supported: { 'async-await': false } },
        test: { name: 'zone.js', include: [ZONE_JS], pool: 'forks' },
      },
      { extends: true, test: { name: 'server', include: [SERVER], pool: 'forks' } },
    ],
  },
});

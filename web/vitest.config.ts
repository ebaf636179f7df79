import { defineConfig } from 'vitest/config';

/** The packages by the names under which applications install them, from their sources. */
const PACKAGES = [
  'livejoin-client/testing',
  'livejoin-client',
  'livejoin-angular/ag-grid',
  'livejoin-angular/cdk',
  'livejoin-angular/testing',
  'livejoin-angular',
];

export default defineConfig({
  resolve: {
    alias: PACKAGES.map((name) => ({
      find: new RegExp(`^${name}$`),
      replacement: new URL(`./projects/${name}/src/index.ts`, import.meta.url).pathname,
    })),
  },
  test: {
    include: ['projects/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    // No test changes anything global, so the files can share their workers.
    isolate: false,
    pool: 'threads',
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['projects/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    // No test changes anything global, so the files can share their workers.
    isolate: false,
    pool: 'threads',
  },
});

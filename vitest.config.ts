import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { TotalsReporter } from './scripts/totals-reporter.ts';

export default defineConfig({
  test: {
    reporters: ['default', new TotalsReporter()],
    // By default one core is left idle, which here is half of them.
    maxWorkers: availableParallelism(),
    // What a caller has set must not decide whether a test passes.
    env: { TZ: 'UTC', NO_COLOR: '1' },
    projects: [
      // Quick: no sandbox, no test runner, no server under load.
      {
        extends: true,
        test: {
          name: 'unit',
          // Modules are loaded once for all files, which halves the time: unit tests leave nothing behind.
          isolate: false,
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.component.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      // One part of the program with the real thing beside it: bubblewrap, a test runner, sockets.
      {
        extends: true,
        test: {
          name: 'component',
          include: ['src/**/*.component.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'program', include: ['tests/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
});

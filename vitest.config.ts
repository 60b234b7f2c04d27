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
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: { name: 'program', include: ['tests/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
});

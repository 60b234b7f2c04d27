import { accessSync, constants } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TotalsReporter } from './scripts/totals-reporter.ts';

/**
 * The caller's PATH with the system's Python first: `./test` installs pytest for that one alone. Another one may load plugins, each of
 * which starts with every test run.
 */
function withSystemPython(path: string): string {
  const dirs = path.split(delimiter);
  const isOther = (dir: string): boolean => !['/usr/bin', '/bin'].includes(dir) && hasProgram(dir, 'python3');
  return [...dirs.filter((dir) => !isOther(dir)), ...dirs.filter(isOther)].join(delimiter);
}

function hasProgram(dir: string, name: string): boolean {
  try {
    accessSync(join(dir, name), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export default defineConfig({
  test: {
    reporters: ['default', new TotalsReporter()],
    // By default one core is left idle, which here is half of them. One more than there are cores, because tests often wait for a child.
    maxWorkers: availableParallelism() + 1,
    tags: [{ name: 'long', description: 'shows on more shapes what shorter tests show too: played by test:all' }],
    // Sources are transformed once, not in every run.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.build/vitest' },
    // Limits are for what hangs, not for what is slow: other programs may use this machine too.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a caller has set must not decide whether a test passes.
    env: { TZ: 'UTC', NO_COLOR: '1', PATH: withSystemPython(process.env['PATH'] ?? '') },
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
        },
      },
      // One part of the program with the real thing beside it: bubblewrap, a test runner, sockets.
      {
        extends: true,
        test: {
          name: 'component',
          include: ['src/**/*.component.test.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'program', include: ['tests/**/*.test.ts'], testTimeout: 240_000, hookTimeout: 240_000 },
      },
    ],
  },
});

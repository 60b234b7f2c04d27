import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasUsualSurroundings } from './usual-surroundings.ts';

function isUsual(runner: string, command: string, files: Readonly<Record<string, string>> = {}): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-usual-'));
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
    return hasUsualSurroundings(runner, command, {
      dir,
      paths: Object.keys(files),
      read: (path) => files[path] ?? null,
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test.each([
  ['vitest', 'npx vitest run --coverage', {}, true],
  [
    'vitest',
    'npx vitest run',
    { 'vitest.config.ts': 'export default defineConfig({ test: { globals: true } });' },
    true,
  ],
  ['vitest', 'npx vitest run', { 'vitest.config.ts': "export default { test: { environment: 'jsdom' } };" }, false],
  ['jest', 'npm test', { 'package.json': '{"scripts": {"test": "jest"}}' }, true],
  ['jest', 'npm test', { 'package.json': '{"scripts": {"test": "jest"}, "jest": {"setupFiles": ["./a.js"]}}' }, false],
  ['mocha', 'npx mocha -r ./register.js', {}, false],
  ['mocha', 'NODE_ENV=test npx mocha', {}, false],
  ['go', 'go test -race ./...', {}, true],
  ['go', 'go test -tags slow ./...', {}, false],
  ['cargo', 'cargo test --workspace -- --nocapture', {}, true],
  ['cargo', 'cargo test --all-features', {}, false],
  ['bats', 'bats -r test', {}, true],
])('%s: %s with %o: %s', (runner, command, files, expected) => {
  expect(isUsual(runner, command, files)).toBe(expected);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeByHand } from './login-session.ts';

let environment: string;
beforeEach(() => {
  environment = mkdtempSync(join(tmpdir(), 'environment-'));
  mkdirSync(join(environment, 'lib/python3.11/site-packages'), { recursive: true });
  writeFileSync(join(environment, 'pyvenv.cfg'), 'home = /usr/bin\n');
});
afterEach(() => rmSync(environment, { recursive: true, force: true }));

const request = (kind: 'bubblewrap' | 'none'): Parameters<typeof placeByHand>[0] => ({
  byHand: {},
  confinement: { kind },
  readOnly: [{ source: environment, target: '/workspace/.venv', mode: 'ro' }],
});

test('a tree lies at another place than usual, with all that is in it', () => {
  const place = placeByHand(request('bubblewrap'));
  const tree = place?.('/workspace') ?? '';
  expect(tree).toMatch(/^\/home\/[a-z]+\/[a-z/]+$/);
  expect(place?.('/workspace/.venv/bin/python3')).toBe(`${tree}/.venv/bin/python3`);
  expect(place?.('/usr/bin/python3')).toBe('/usr/bin/python3');
  expect(place?.('/workspaces')).toBe('/workspaces');
});

test('it stays where an environment of Python names it', () => {
  const packages = join(environment, 'lib/python3.11/site-packages');
  writeFileSync(join(packages, 'distutils-precedence.pth'), 'import os\n');
  expect(placeByHand(request('bubblewrap'))).toBeDefined();
  writeFileSync(join(packages, '__editable__.cart-1.pth'), '/workspace/src\n');
  expect(placeByHand(request('bubblewrap'))).toBeUndefined();
});

test('it stays where nothing is mounted, and where tests are not tried apart', () => {
  expect(placeByHand(request('none'))).toBeUndefined();
  expect(placeByHand({ confinement: { kind: 'bubblewrap' } })).toBeUndefined();
});

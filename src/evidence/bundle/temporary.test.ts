import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemProcesses } from './running.ts';
import { makeTemporary, removeAbandoned } from './temporary.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'temporary-'));
  vi.stubEnv('TMPDIR', root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

test('what a killed command left is removed; what a living one has, and what is not known, stays', async () => {
  const own = makeTemporary('ask');
  expect(dirname(own)).toBe(root);
  writeFileSync(join(own, 'file'), '');
  const ended = { ...systemProcesses, pidNamespace: systemProcesses.pidNamespace, startedOf: () => '1' };
  const left = makeTemporary('ask', ended);
  const elsewhere = makeTemporary('ask', { ...ended, pidNamespace: 'pid:[7]' });
  const other = mkdtempSync(join(root, 'seatrial-other-'));
  writeFileSync(join(left, 'file'), '');
  await removeAbandoned(root);
  expect(readdirSync(root).sort()).toEqual([own, elsewhere, other].map((path) => basename(path)).sort());
});

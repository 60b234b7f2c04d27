import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { termsOfAsk } from '../../task/ask.ts';
import { admittedSettings } from './repo-settings.ts';
import { readSettings } from './settings.ts';

let copy: string;
let repo: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'copy-'));
  repo = mkdtempSync(join(tmpdir(), 'repo-'));
});
afterEach(() => [copy, repo].forEach((dir) => rmSync(dir, { recursive: true })));

test('a seatrial.toml that is part of the repository cannot admit its settings', () => {
  const digest = 'a'.repeat(64);
  writeFileSync(join(repo, 'seatrial.toml'), `[engines.pi]\nrepo_settings = { ".pi" = "${digest}" }\n`);
  const repository = { path: repo, commit: '', dirty: false, notes: [] };
  const source = {
    terms: termsOfAsk({ instruction: 'x', test: 'y' }, repository, copy),
    inputs: { filesDir: copy, testsDir: null },
  };
  expect(admittedSettings(readSettings(repo), 'pi', source)).toEqual({ digests: { '.pi': digest }, note: null });
  expect(admittedSettings(readSettings(repo), 'qwen', source)).toEqual({ digests: {}, note: null });
  writeFileSync(join(copy, 'seatrial.toml'), '');
  expect(admittedSettings(readSettings(repo), 'pi', source)).toEqual({
    digests: {},
    note: expect.stringContaining('seatrial.toml is part of the repository'),
  });
});

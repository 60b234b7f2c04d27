import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadProject } from '../config/load.ts';
import { cleanLogs } from './clean.ts';

const POLICY = { maxBytes: 10, maxAgeMs: 1e12, keep: 3 };

function place() {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-logs-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'agents.toml'), 'session_prefix = "x-"\n[agents.s]\nkind = "service"\ncommand = "true"\n');
  const project = loadProject(dir);
  for (const below of ['logs', 'state', 'clones/builder', 'agents/s'])
    mkdirSync(join(project.logDir, below), { recursive: true });
  return {
    project,
    at: (name: string) => join(project.logDir, name),
    clean: () => cleanLogs(project, POLICY, new Date()),
  };
}

test('logs are rotated, evidence and the files of agents are not', () => {
  const { at, clean } = place();
  for (const name of ['a.log', 'logs/b.log', 'agents/s/c.log', 'state/d.log', 'clones/builder/e.log'])
    writeFileSync(at(name), 'x'.repeat(20));
  writeFileSync(at('outside'), 'x'.repeat(20));
  symlinkSync(at('outside'), at('logs/link.log'));
  expect(clean()).toHaveLength(3);
  expect(
    ['a.log.1', 'logs/b.log.1', 'agents/s/c.log.1', 'state/d.log', 'clones/builder/e.log', 'logs/link.log'].filter(
      (name) => !existsSync(at(name)),
    ),
  ).toEqual([]);
  expect(clean()).toEqual([]);
});

test('a log that a process holds open keeps every line under its name, and is rotated once it is closed', () => {
  const { at, clean } = place();
  const path = at('logs/open.log');
  const fd = openSync(path, 'a');
  writeSync(fd, 'first line\n');
  expect(clean()).toEqual([]);
  writeSync(fd, 'second line\n');
  expect(readFileSync(path, 'utf8')).toBe('first line\nsecond line\n');
  closeSync(fd);
  expect(clean()).toHaveLength(1);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('first line\nsecond line\n');
});

test('whoever follows a log by its name sees the lines before and after a rotation', async () => {
  const { at, clean } = place();
  const path = at('logs/followed.log');
  writeFileSync(path, 'before the rotation\n');
  const follower = spawn('tail', ['-n', '+1', '-s', '0.1', '-F', path], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void follower.kill());
  let seen = '';
  follower.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text));
  await expect.poll(() => seen, { timeout: 20_000 }).toContain('before');
  expect(clean()).toHaveLength(1);
  appendFileSync(path, 'after it\n');
  await expect.poll(() => seen, { timeout: 20_000 }).toContain('after it');
});

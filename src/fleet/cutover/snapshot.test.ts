import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { CutoverPlan } from './schema.ts';
import { keepFiles, keepState, restoreState, retireSnapshot } from './snapshot.ts';
import { cutoverDir } from './store.ts';

const NOW = new Date('2026-01-01T00:00:00.000Z');
const scratch: string[] = [];
afterEach(() => {
  for (const dir of scratch.splice(0)) rmSync(dir, { recursive: true });
});

function planned(): CutoverPlan {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-snapshot-'));
  scratch.push(dir);
  const staged = join(dir, 'staged');
  const liveState = join(dir, 'live', '.logs', 'state');
  for (const made of [staged, liveState]) mkdirSync(made, { recursive: true });
  writeFileSync(join(staged, 'agents.toml'), 'config');
  writeFileSync(join(dir, 'shim'), 'exec');
  writeFileSync(join(liveState, 'phase-idx'), '1\n');
  return {
    version: 1,
    made_at: NOW.toISOString(),
    live: join(dir, 'live'),
    staged,
    prefix: 'p-',
    socket: 'none',
    live_log_dir: join(dir, 'live', '.logs'),
    unit: join(dir, 'unit'),
    chain: [],
    shim: join(dir, 'shim'),
    shim_kind: 'shell',
    start: { argv: [], cwd: dir, env: {} },
    stop: 'true',
    live_runs: true,
    not_started_again: [],
  };
}

test('two cutovers that end in the same second both leave their snapshot', () => {
  const plan = planned();
  for (let round = 0; round < 2; round += 1) {
    keepFiles(plan);
    retireSnapshot(plan, NOW);
  }
  expect(readdirSync(cutoverDir(plan.staged)).toSorted()).toEqual([
    'snapshot-20260101T000000Z',
    'snapshot-20260101T000000Z-2',
  ]);
});

test('state that is put back twice in the same second is archived twice', () => {
  const plan = planned();
  const index = join(plan.live_log_dir, 'state', 'phase-idx');
  keepState(plan);
  const archived = ['2\n', '3\n'].map((progress) => {
    writeFileSync(index, progress);
    const archive = restoreState(plan, NOW);
    expect(readFileSync(index, 'utf8')).toBe('1\n');
    return readFileSync(join(archive, 'state', 'phase-idx'), 'utf8');
  });
  expect(archived).toEqual(['2\n', '3\n']);
});

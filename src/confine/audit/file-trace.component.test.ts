import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { openConfinement } from '../open.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';
import { SYSTEM_PATH } from '../bwrap/system-layout.ts';
import { FileTrace, withFileTrace } from './file-trace.ts';
import { requireTracer } from './start.ts';

vi.setConfig({ testTimeout: 120_000 });

let scratch: string;
let workspace: string;
beforeEach(() => {
  scratch = makeScratch();
  workspace = join(scratch, 'workspace');
  mkdirSync(join(workspace, 'data'), { recursive: true });
  writeFileSync(join(workspace, 'data/used.txt'), 'used');
  writeFileSync(join(workspace, 'data/unused.txt'), 'unused');
  symlinkSync('data/used.txt', join(workspace, 'link.txt'));
});
afterEach(() => removeScratch(scratch));

async function trace(script: string, timeoutMs = 60_000) {
  const confinement = await openConfinement({ kind: 'bubblewrap', scratch });
  confinement.give(workspace);
  const { spec, channel } = withFileTrace(
    {
      argv: ['/bin/sh', '-c', script],
      env: {},
      cwd: '/workspace',
      mounts: [{ source: workspace, target: '/workspace', mode: 'rw' }],
      limits: DEFAULT_LIMITS,
      timeoutMs,
      channels: 1,
    },
    requireTracer(SYSTEM_PATH),
  );
  const sandbox = confinement.start(spec);
  const traced = new FileTrace(sandbox, channel, { root: '/workspace', cwd: '/workspace' });
  sandbox.stdin.end();
  sandbox.stdout.resume();
  sandbox.stderr.resume();
  const end = await sandbox.ended;
  return { end, facts: await traced.facts() };
}

it('tells files that were read from those that were looked for, asked about and written', async () => {
  const { end, facts } = await trace(
    'cat data/used.txt >/dev/null; cat nowhere.cfg; test -e data/unused.txt; test -e flag; echo new > made.txt; ls data >/dev/null; exit 7',
  );
  expect(end).toMatchObject({ kind: 'exited', exitCode: 7 });
  expect(facts.complete).toBe(true);
  expect(facts.read).toContain('data/used.txt');
  expect(facts.read).not.toContain('data/unused.txt');
  expect(facts.asked).toContain('data/unused.txt');
  expect(facts.missing).toEqual(expect.arrayContaining(['nowhere.cfg', 'flag']));
  expect(facts.written).toContain('made.txt');
  expect(facts.listed).toContain('data');
});

it('follows children into other directories, and programs outside the root', async () => {
  const { facts } = await trace(
    '(cd data && cat ../link.txt used.txt >/dev/null); cd data && sh -c "cat ./used.txt > copy.txt"',
  );
  expect(facts.read).toEqual(expect.arrayContaining(['link.txt', 'data/used.txt']));
  expect(facts.written).toContain('data/copy.txt');
  expect(facts.outside.some((path) => path.endsWith('/bin/cat'))).toBe(true);
});

it('is incomplete when the command is cut short', async () => {
  const { end, facts } = await trace('cat data/used.txt; sleep 600', 3000);
  expect(end.kind).toBe('timed_out');
  expect(facts.complete).toBe(false);
  expect(facts.read).toContain('data/used.txt');
});

it('does not count the files that git looks through to find out what changed', async () => {
  const { end, facts } = await trace(
    'git init -q; git add -A; touch data/*.txt; git status --porcelain >/dev/null; cat data/used.txt >/dev/null',
  );
  expect(end).toMatchObject({ kind: 'exited', exitCode: 0 });
  expect(facts.read).toContain('data/used.txt');
  expect(facts.read).not.toContain('data/unused.txt');
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleReport } from '../../../evidence/report/render/sample-report.fixture.ts';
import { listAsOwned } from '../../../stages/routes/owned.ts';
import { refuseOutOfScope } from './stage-scope.ts';

let root: string;
let repo: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stage-scope-'));
  repo = join(root, 'repo');
  mkdirSync(join(root, 'config'));
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'config'));
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repo]);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** What `apply` and `land` ask before they touch a repository. */
const ask = (stage: number | null, branch: string): Promise<void> =>
  refuseOutOfScope({ ...sampleReport(), stage }, repo, branch);

it('a run without a stage goes anywhere', async () => {
  await expect(ask(null, 'main')).resolves.toBeUndefined();
});

it('a run with a stage goes where its stage admits it, and the refusal says why', async () => {
  await expect(ask(3, 'work')).rejects.toThrow(/stays where it is: stage 3 admits "copied repository only"/);
  await expect(ask(5, 'work')).rejects.toThrow(/is not listed as owned and noncritical/);
  listAsOwned(repo, process.env);
  await expect(ask(5, 'work')).resolves.toBeUndefined();
  await expect(ask(5, 'refs/heads/work')).resolves.toBeUndefined();
  await expect(ask(5, 'main')).rejects.toThrow(/main is a default branch/);
  await expect(ask(5, 'refs/heads/main')).rejects.toThrow(/main is a default branch/);
  await expect(ask(4, 'work')).rejects.toThrow(/is not a sandbox that Seatrial made/);
});

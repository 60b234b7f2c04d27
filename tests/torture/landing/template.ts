import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOrCreateKey } from '../../../src/evidence/bundle/keys.ts';
import { sampleReport } from '../../../src/evidence/report/render/sample-report.fixture.ts';
import { sha256 } from '../../../src/kernel/digest.ts';
import type { ProvenRun } from '../../../src/run/land/proven-run.ts';
import { termsOfAsk } from '../../../src/task/ask.ts';
import { takeRepository } from '../../../src/task/own-repository.ts';
import { writeBelow } from '../../support/seatrial.ts';

/** The sum of two fees has a limit: a change of either is fine alone, and both together are not. */
const FILES = {
  fee_a: '3\n',
  fee_b: '3\n',
  fee_c: '3\n',
  fee_d: '3\n',
  fee_e: '3\n',
  'check.sh': 'test $(($(cat fee_a) + $(cat fee_b))) -le 10\n',
};

/** Of each group exactly one can land: the first two break together, the last two conflict. */
export const GROUPS = [['a=6', 'b=6'], ['c=4'], ['d=5'], ['e=7', 'e=8']] as const;
export const CHANGES: readonly string[] = GROUPS.flat();

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

export const variables = (home: string): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  ...IDENTITY,
});

export function git(dir: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: dir,
    env: variables(dir),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** A repository with changes that stand for proven runs, from which every scene is copied. */
export class Template {
  readonly root = mkdtempSync(join(tmpdir(), 'seatrial-landings-'));
  readonly home = join(this.root, 'home');
  readonly #repo = join(this.root, 'template');

  constructor() {
    mkdirSync(this.home);
    loadOrCreateKey({ HOME: this.home });
    writeBelow(this.#repo, FILES);
    git(this.#repo, 'init', '--quiet', '-b', 'main');
    git(this.#repo, 'add', '--all');
    git(this.#repo, 'commit', '--quiet', '-m', 'fees');
  }

  copyTo(dir: string): { readonly repo: string; readonly runs: string } {
    const [repo, runs] = [join(dir, 'repo'), join(dir, 'runs')];
    cpSync(this.#repo, repo, { recursive: true });
    mkdirSync(runs);
    for (const change of CHANGES) {
      const [name, value] = change.split('=');
      const patch = `diff --git a/fee_${name} b/fee_${name}\n--- a/fee_${name}\n+++ b/fee_${name}\n@@ -1 +1 @@\n-3\n+${value}\n`;
      writeBelow(join(runs, change), { 'patch.diff': patch, 'report.json': `${change}\n`, 'inputs/base.tar': '' });
    }
    return { repo, runs };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** What `land` would read from the bundle of a run. `scratch` exists. */
export async function provenRun(repo: string, runs: string, change: string, scratch: string): Promise<ProvenRun> {
  const base = git(repo, 'rev-list', '--max-parents=0', 'main');
  const { filesDir, repository } = await takeRepository({ path: repo, commit: base, dirty: false, scratch });
  const terms = termsOfAsk({ instruction: change, test: 'sh check.sh' }, repository, filesDir);
  const archive = { sha256: sha256(''), bytes: 0 };
  const dir = join(runs, change);
  return {
    dir,
    report: { ...sampleReport(), run_id: change, run_dir: dir, backend: 'command', deciding: null },
    contract: { ...terms, base: archive, sealed_tests: null },
    attestation: sha256(change),
    base,
  };
}

/** Two copies of a tree, `a` and `b`. */
export function writeTreeCopies(dir: string, tree: string): void {
  for (const name of ['a', 'b']) cpSync(tree, join(dir, name), { recursive: true });
  writeFileSync(join(dir, '.keep'), '');
}

import { writeFileSync } from 'node:fs';
import type { Report } from '../../src/evidence/schema/report.ts';
import { type Ended, writeBelow } from './seatrial.ts';
import { Project } from './project.ts';

/** Each fee may be raised to 6 alone; with both, the sum is above the limit that a test checks. */
const FILES = {
  'fee_a.py': 'def fee():\n    return 3\n',
  'fee_b.py': 'def fee():\n    return 3\n',
  'tests/test_fees.py':
    'import fee_a\nimport fee_b\n\n\ndef test_positive():\n    assert fee_a.fee() > 0 and fee_b.fee() > 0\n\n\ndef test_limit():\n    assert fee_a.fee() + fee_b.fee() <= 10\n',
};

export const raise = (name: 'a' | 'b', to = 6): string => `sed -i 's/return .*/return ${to}/' fee_${name}.py`;

export const LANDER = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

export interface LandedRun {
  readonly outcome: string;
  readonly run_id: string;
  readonly commit: string | null;
  readonly tree?: string;
  readonly tip?: string;
  readonly judged_in?: string | null;
  readonly reasons?: readonly { readonly code: string; readonly text: string }[];
  readonly broken?: readonly string[];
  readonly notes?: readonly string[];
  readonly statement?: string | null;
  readonly retried_in?: readonly string[];
}

/** A repository with two changes that fit alone and not together. */
export class FeesProject extends Project {
  constructor(files: Readonly<Record<string, string>> = FILES) {
    super();
    this.git('rm', '--quiet', '-r', '.');
    this.commit(files, 'fees');
  }

  /** A run that changes the repository by a shell line; it must pass. */
  async proven(command: string, args: readonly string[] = []): Promise<Report> {
    const { report, stderr } = await this.ask(command, args);
    if (report.status !== 'pass') throw new Error(`${report.failure_reason}\n${stderr}`);
    return report;
  }

  /** The path of an approval policy. */
  policy(text: string): string {
    const path = `${this.root}/approvals.toml`;
    writeFileSync(path, text);
    return path;
  }

  allowing(action: string): string {
    return this.policy(`[[rules]]\nallow = "${action}"\n`);
  }

  land(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return this.seatrial(['land', ...args], { cwd: this.repo, env: { ...LANDER, SEATRIAL_RUNS: '', ...env } });
  }

  /** Lands with --json, from outside of the repository. */
  async landing(args: readonly string[]): Promise<Ended & { readonly runs: readonly LandedRun[] }> {
    const ended = await this.seatrial(['land', '--json', ...args], { env: LANDER });
    if (ended.stdout === '') throw new Error(`no result: exit ${ended.code}\n${ended.stderr}`);
    return { ...ended, runs: JSON.parse(ended.stdout).runs as readonly LandedRun[] };
  }

  /** A commit by somebody else, straight onto a branch that is not checked out. */
  pushOther(branch: string, name: string, content: string): string {
    const dir = `${this.root}/other-${branch}`;
    this.git('worktree', 'add', '--quiet', '--detach', '--force', dir, branch);
    writeBelow(dir, { [name]: content });
    this.gitIn(dir, 'add', '--all');
    this.gitIn(dir, 'commit', '--quiet', '-m', `other: ${name}`);
    const commit = this.gitIn(dir, 'rev-parse', 'HEAD');
    this.git('update-ref', `refs/heads/${branch}`, commit);
    this.git('worktree', 'remove', '--force', dir);
    return commit;
  }
}

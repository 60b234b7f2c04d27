import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, Place, type Running, writeBelow } from '../../support/seatrial.ts';

/** The sum of two fees has a limit: a change of either is fine alone, and both together are not. */
const FILES = {
  fee_a: '3\n',
  fee_b: '3\n',
  fee_c: '3\n',
  fee_e: '3\n',
  'check.sh': 'test $(($(cat fee_a) + $(cat fee_b))) -le 10\n',
};

/** Of each group exactly one can land: the first two break together, the last two conflict. */
export const GROUPS = [['a=6', 'b=6'], ['c=4'], ['e=7', 'e=8']] as const;

export const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

export function git(dir: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: dir, GIT_CONFIG_NOSYSTEM: '1', ...IDENTITY };
  return execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A repository with proven runs, from which every scene is copied. */
export class Template {
  readonly place = new Place();
  readonly repo = join(this.place.cwd, 'fees');
  /** Run ids by change. */
  readonly runs = new Map<string, string>();

  async prove(): Promise<void> {
    writeBelow(this.repo, FILES);
    git(this.repo, 'init', '--quiet', '-b', 'main');
    git(this.repo, 'add', '--all');
    git(this.repo, 'commit', '--quiet', '-m', 'fees');
    for (const change of GROUPS.flat()) {
      const [name, value] = change.split('=');
      const engine = ['--engine', 'command', '--command', `echo ${value} > fee_${name}`];
      const ask = ['--repo', this.repo, '--ask', change, '--test', 'sh check.sh', '--accept', 'exit_code'];
      const ended = await this.place.seatrial(['run', ...ask, ...engine, '--json']);
      if (ended.code !== 0) throw new Error(`${change} was not proven: ${ended.stdout}${ended.stderr}`);
      this.runs.set(change, JSON.parse(ended.stdout).run_id as string);
    }
  }

  copyTo(dir: string): { readonly repo: string; readonly runs: string } {
    const [repo, runs] = [join(dir, 'repo'), join(dir, 'runs')];
    cpSync(this.repo, repo, { recursive: true });
    cpSync(this.place.runs, runs, { recursive: true });
    return { repo, runs };
  }

  start(args: readonly string[]): Running {
    return this.place.start(args, { env: IDENTITY });
  }

  call(args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }
}

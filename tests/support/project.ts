import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../src/evidence/schema/report.ts';
import { type CallOptions, type Ended, Place, writeBelow } from './seatrial.ts';

/** A repository with a bug in it, a test that shows the bug, and one that passes already. */
const FILES = {
  'sum.py': 'def total(numbers):\n    return sum(numbers[1:])\n\n\ndef biggest(numbers):\n    return max(numbers)\n',
  'tests/test_sum.py':
    'from sum import biggest, total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_biggest():\n    assert biggest([1, 2]) == 2\n',
};

/** A shell line that mends the bug. */
export const FIX = "sed -i 's/numbers\\[1:\\]/numbers/' sum.py";
export const TEST = 'python3 -m pytest -q';

export class Project extends Place {
  readonly repo = join(this.cwd, 'adder');

  constructor() {
    super();
    this.commit(FILES, 'first');
  }

  git(...args: string[]): string {
    return this.gitIn(this.repo, ...args);
  }

  gitIn(dir: string, ...args: string[]): string {
    const env = { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', [...identity, ...args], { cwd: dir, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  /** A copy of the repository, to apply a run of it to. */
  copy(name: string): string {
    const dir = join(this.root, 'copies', name);
    cpSync(this.repo, dir, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    return dir;
  }

  commit(files: Readonly<Record<string, string>>, message: string): string {
    writeBelow(this.repo, files);
    this.git('init', '--quiet');
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** Asks for the bug to be mended, by a command. */
  async ask(command: string, args: readonly string[] = []): Promise<Ended & { readonly report: Report }> {
    const engine = ['--engine', 'command', '--command', command];
    const asked = [
      'run',
      '--repo',
      this.repo,
      '--ask',
      'Make total right.',
      '--test',
      TEST,
      ...engine,
      '--json',
      ...args,
    ];
    const ended = await this.seatrial(asked);
    if (ended.stdout === '') throw new Error(`no report: exit ${ended.code}\n${ended.stderr}`);
    return { ...ended, report: JSON.parse(ended.stdout) as Report };
  }

  apply(run: string, args: readonly string[] = [], options: CallOptions = {}): ReturnType<Place['seatrial']> {
    const identity = {
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    return this.seatrial(['apply', run, ...args], { ...options, env: { ...identity, ...options.env } });
  }
}

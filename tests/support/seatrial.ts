import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/kernel/package-root.ts';
import type { Report } from '../../src/evidence/schema/report.ts';

/** With a slash at the end, wherever this module was bundled to. */
export const PROJECT = `${packageRoot()}/`;
export const BUILT_COMMAND = join(PROJECT, 'dist/seatrial.js');
const NOBODY = 65_534;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** Another copy of the command than the one that was built here. */
  readonly command?: string;
  /** As a terminal starts a command: in a process group of its own, which one signal reaches as a whole. */
  readonly ownGroup?: true;
  /** A program that starts the command, with its arguments. */
  readonly through?: readonly string[];
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves as soon as the text stands in what was printed so far, on either stream; rejects when it ends without. */
  shows(text: string): Promise<void>;
}

/** What a task directory holds; what is left out is that of a task whose answer is one word in `answer.txt`. */
export interface TaskParts {
  readonly toml?: string;
  readonly instruction?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly tests?: Readonly<Record<string, string>>;
  /** null: a task without an oracle. */
  readonly solve?: string | null;
}

const ANSWER_TASK = {
  toml: '[seatrial]\ntest_command = "sh test.sh"\n',
  instruction: 'Write yes into answer.txt.\n',
  files: { 'answer.txt': 'no\n' },
  tests: { 'test.sh': 'if [ "$(cat answer.txt)" = yes ]; then ok answer; else not_ok answer; fi\n' },
  solve: 'echo yes > answer.txt\n',
} as const satisfies TaskParts;

/** A person's machine as far as Seatrial can tell: an empty home and an empty current directory, both gone after `remove`. */
export class Place {
  readonly root = mkdtempSync(join(tmpdir(), 'seatrial-program-'));
  readonly home = join(this.root, 'home');
  readonly cwd = join(this.root, 'project');
  readonly runs = join(this.cwd, '.seatrial/runs');

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.cwd);
  }

  start(args: readonly string[], options: CallOptions = {}): Running {
    const command = [process.execPath, options.command ?? BUILT_COMMAND, ...args];
    const [file = process.execPath, ...rest] = [...(options.through ?? []), ...command];
    const child = spawn(file, rest, {
      cwd: options.cwd ?? this.cwd,
      env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: this.home, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: options.ownGroup === true,
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (data: string) => (text.stdout += data));
    child.stderr.setEncoding('utf8').on('data', (data: string) => (text.stderr += data));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, ...text }));
    });
    const shows = (wanted: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (`${text.stdout}\n${text.stderr}`.includes(wanted)) resolve();
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        child.on('close', () => reject(new Error(`ended without showing ${wanted}:\n${text.stdout}${text.stderr}`)));
        look();
      });
    return { child, ended, shows };
  }

  seatrial(args: readonly string[], options: CallOptions = {}): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** Runs a task and gives its report beside what the command printed. */
  async run(
    task: string,
    args: readonly string[] = [],
    options: CallOptions = {},
  ): Promise<Ended & { readonly report: Report }> {
    const ended = await this.seatrial(['run', task, '--json', ...args], options);
    try {
      return { ...ended, report: JSON.parse(ended.stdout) as Report };
    } catch {
      throw new Error(`no report: exit ${ended.code}\n${ended.stdout}${ended.stderr}`);
    }
  }

  /** A task directory in the current directory. */
  task(name: string, parts: TaskParts = {}): string {
    const dir = join(this.cwd, name);
    const { toml, instruction, files, tests, solve } = { ...ANSWER_TASK, ...parts };
    writeBelow(dir, { 'task.toml': toml, 'instruction.md': instruction });
    mkdirSync(join(dir, 'environment/files'), { recursive: true });
    writeBelow(join(dir, 'environment/files'), files);
    writeBelow(join(dir, 'tests'), tests);
    if (solve !== null) writeBelow(join(dir, 'solution'), { 'solve.sh': solve });
    return dir;
  }

  /** The run directories that there are now. */
  runDirs(): string[] {
    try {
      return readdirSync(this.runs).filter((name) => /^\d{8}T\d{6}Z-/.test(name));
    } catch {
      return [];
    }
  }

  /** From now on everything here is a plain user's, to be used with `uid`. */
  giveToPlainUser(): number {
    const all = readdirSync(this.root, { recursive: true, encoding: 'utf8' }).map((name) => join(this.root, name));
    for (const path of [this.root, ...all]) chownSync(path, NOBODY, NOBODY);
    return NOBODY;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

export function writeBelow(dir: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

export function readReport(runDir: string): Report {
  return JSON.parse(readFileSync(join(runDir, 'report.json'), 'utf8')) as Report;
}

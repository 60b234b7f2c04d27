import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ModelScript } from '../../src/gateway/scripted/schema.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { PROJECT } from './seatrial.ts';

/** The stand-in, and the real program where there is one: what is said of Case must be true of both. */
export const PROGRAMS: readonly (readonly [name: string, program: string])[] = [
  ['the stand-in', join(PROJECT, 'dist/ca')],
  ...(process.env['CTO_HARNESS_CASE_BIN'] ? [['Case', process.env['CTO_HARNESS_CASE_BIN']] as const] : []),
];

export const KEY = 'sk-throw-away';
const IDENTITY = {
  GIT_AUTHOR_NAME: 'agent',
  GIT_AUTHOR_EMAIL: 'agent@localhost',
  GIT_COMMITTER_NAME: 'agent',
  GIT_COMMITTER_EMAIL: 'agent@localhost',
};

/** Whatever a program wrote: tests say what they expect of it. */
export type Json = ReturnType<typeof JSON.parse>;

/** What differs from the usual setting; null leaves it out. */
export interface Setting {
  readonly config?: string | null;
  readonly task?: Readonly<Record<string, unknown>>;
  readonly provider?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
}

export interface Played {
  readonly code: number | null;
  /** Without the prefix of unattended runs, and with no time in it. */
  readonly said: readonly string[];
  readonly stderr: string;
  readonly events: readonly Json[];
  /** The events in words, without tools, statuses and what was skipped. */
  readonly story: readonly string[];
  /** Whom the model was asked by. */
  readonly agents: readonly string[];
}

/** A repository with the built-in task, and all that Case reads. */
export class Workbench {
  readonly root = mkdtempSync(join(tmpdir(), 'seatrial-case-'));
  readonly repo = join(this.root, 'repo');
  readonly data = join(this.root, 'data');
  readonly pi = join(this.data, 'pi-agent');
  readonly task = join(this.root, 'tasks/slug-1.task.json');
  readonly model: ScriptedModel;
  readonly #program: string;

  private constructor(program: string, model: ScriptedModel) {
    this.#program = program;
    this.model = model;
    for (const dir of [this.pi, dirname(this.task), join(this.root, 'bin'), join(this.root, 'home')]) {
      mkdirSync(dir, { recursive: true });
    }
    symlinkSync(program, join(this.root, 'bin/ca'));
    cpSync(join(PROJECT, 'tasks/r1-string-slugify/environment/files'), this.repo, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    this.commitAll('base');
  }

  static async with(program: string, script: ModelScript): Promise<Workbench> {
    return new Workbench(program, await startScriptedModel(script));
  }

  git(...args: string[]): string {
    const env = { PATH: process.env['PATH'], HOME: this.root, ...IDENTITY };
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: this.repo, env, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stdout.trim();
  }

  commitAll(message: string): void {
    this.git('add', '-A');
    this.git('commit', '-qm', message);
  }

  write(name: string, text: string, mode = 0o644): void {
    const path = join(this.repo, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }

  read(name: string): string {
    return readFileSync(join(this.repo, name), 'utf8');
  }

  get taskFile(): Json {
    return JSON.parse(readFileSync(this.task, 'utf8'));
  }

  /** Runs it to its end. */
  async run(setting: Setting = {}): Promise<Played> {
    this.lay(setting);
    return this.start(setting).ended;
  }

  /** Runs it until that is so, then kills it. */
  async runUntil(reached: () => boolean): Promise<Played> {
    this.lay({});
    const { child, ended } = this.start({});
    await expect.poll(reached, { timeout: 60_000 }).toBe(true);
    child.kill('SIGKILL');
    return ended;
  }

  /** The last event in words. */
  get last(): string {
    return inWords(this.events().at(-1) ?? {});
  }

  lay({ config, task = {}, provider = 'openai' }: Setting): void {
    const model = { provider, model: 'scripted' };
    const settings = config === undefined ? JSON.stringify({ models: { default: model, reviewer: null } }) : config;
    if (settings !== null) writeFileSync(join(this.data, 'config.json'), settings);
    const commands = { setup: 'true', test: 'python3 -m pytest -q' };
    const about = { remote: '', description: '', language: 'python', packageManager: 'pip', commands };
    const repos = [{ name: 'workspace', type: 'library', path: this.repo, ...about }];
    writeFileSync(join(this.data, 'projects.json'), JSON.stringify({ repos }));
    const models = [{ id: 'scripted', maxTokens: 4096 }];
    const told = { baseUrl: this.model.url, api: 'openai-completions', apiKey: 'OPENAI_API_KEY', models };
    writeFileSync(join(this.pi, 'models.json'), JSON.stringify({ providers: { [provider]: told } }));
    const usual = { id: 'slug-1', status: 'active', created: new Date(0).toISOString(), repo: 'workspace', agents: {} };
    writeFileSync(this.task, JSON.stringify({ ...usual, profile: 'standard', ...task }));
    writeFileSync(this.task.replace('.task.json', '.md'), '# Mend slugify\n');
  }

  start({ env = {}, args }: Setting): { child: ChildProcess; ended: Promise<Played> } {
    const child = spawn(this.#program, args ?? ['run', '--task', this.task, '--mode', 'unattended'], {
      cwd: this.repo,
      env: {
        PATH: `${join(this.root, 'bin')}:${process.env['PATH']}`,
        HOME: join(this.root, 'home'),
        CASE_DATA_DIR: this.data,
        PI_CODING_AGENT_DIR: this.pi,
        OPENAI_API_KEY: KEY,
        ...IDENTITY,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (data: string) => (text.stdout += data));
    child.stderr.setEncoding('utf8').on('data', (data: string) => (text.stderr += data));
    const ended = new Promise<Played>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...this.#played(text.stdout), stderr: text.stderr }));
    });
    return { child, ended };
  }

  events(): Json[] {
    const dir = join(this.repo, '.case/slug-1/events');
    if (!existsSync(dir)) return [];
    const logs = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
    return logs.flatMap((log) => log.split('\n').slice(0, -1)).map((line) => JSON.parse(line));
  }

  #played(stdout: string): Omit<Played, 'code' | 'stderr'> {
    const events = this.events();
    const lines = stdout.split('\n').slice(0, -1);
    const told = ({ event, outcome }: Json): boolean => !/^tool_|^status_/.test(event) && outcome !== 'skipped';
    return {
      said: lines.map((line) => line.replace('[unattended] ', '').replace(/ \(.*s\)$/, '')),
      events,
      story: events.filter(told).map(inWords),
      agents: this.model.requests.map(({ body }) => agentOf(body)),
    };
  }

  async remove(): Promise<void> {
    await this.model.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** By the title of its prompt. */
function agentOf(body: Json): string {
  return /^# (\w+) — /.exec(body.messages[0].content)?.[1] ?? '?';
}

function inWords({ event, phase, outcome, failedAgent, from, to, source, cycle, tool }: Json): string {
  const words = [event, phase, outcome, failedAgent, from, to, source, cycle, tool];
  return words.filter((word) => word !== undefined).join(' ');
}

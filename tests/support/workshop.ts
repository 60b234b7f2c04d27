import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Report } from '../../src/evidence/schema/report.ts';
import { type CallOptions, type Ended, Place, readReport, type Running, writeBelow } from './seatrial.ts';

export interface AskOptions extends CallOptions {
  readonly test: string;
  readonly args?: readonly string[];
}

/** A place with repositories in it that have to be set up before they can be worked on. */
export class Workshop extends Place {
  readonly cache = join(this.home, '.cache/seatrial/provision');

  repository(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
    const repo = join(this.cwd, name);
    writeBelow(repo, files);
    const env = { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: repo, env });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'A step');
    return repo;
  }

  startAsking(repo: string, command: string, { test, args = [], ...options }: AskOptions): Running {
    const asked = ['run', '--repo', repo, '--ask', 'Mend it.', '--test', test, '--accept', 'exit_code'];
    return this.start([...asked, '--engine', 'command', '--command', command, ...args], options);
  }

  async ask(repo: string, command: string, options: AskOptions): Promise<Ended & { readonly report: Report }> {
    const json = { ...options, args: [...(options.args ?? []), '--json'] };
    const ended = await this.startAsking(repo, command, json).ended;
    if (ended.stdout === '') throw new Error(`no report: exit ${ended.code}\n${ended.stderr}`);
    return { ...ended, report: JSON.parse(ended.stdout) as Report };
  }

  /** Of all runs that there are. */
  reports(): Report[] {
    return this.runDirs().map((name) => readReport(join(this.runs, name)));
  }

  /** What the cache holds, but for locks. */
  entries(): string[] {
    return existsSync(this.cache) ? readdirSync(this.cache).filter((name) => !name.endsWith('.lock')) : [];
  }
}

/** A place in the network that setups ask: it counts, and may keep them waiting. */
export class Counter {
  asked = 0;
  readonly #server: Server;
  readonly #waiting: ServerResponse[] = [];
  #holds = false;
  #onAsked: () => void = () => {};

  private constructor() {
    this.#server = createServer((_request, response) => {
      this.asked += 1;
      if (this.#holds) this.#waiting.push(response);
      else response.end('yes');
      this.#onAsked();
    });
  }

  static async open(): Promise<Counter> {
    const counter = new Counter();
    await new Promise<void>((resolve) => counter.#server.listen(0, '127.0.0.1', resolve));
    return counter;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** From now on nobody gets an answer; resolves when the next one asks. */
  hold(): Promise<void> {
    this.#holds = true;
    return new Promise((resolve) => (this.#onAsked = resolve));
  }

  letGo(): void {
    this.#holds = false;
    for (const response of this.#waiting.splice(0)) response.end('yes');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

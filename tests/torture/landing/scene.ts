import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pick, type Random } from '../random.ts';
import { CHANGES, git, GROUPS, type Template, variables } from './template.ts';

const BRANCH = 'refs/heads/main';
/** Built beside the sweep itself: see scripts/torture.mjs. */
const LANDER = fileURLToPath(new URL('lander.mjs', import.meta.url));

export interface LandedResult {
  readonly outcome: string;
  readonly runId: string;
  readonly commit?: string | null;
  readonly reasons?: readonly { readonly code: string; readonly text: string }[];
}

/** One repository in which landings, commits of other people and kills happen at random moments. */
export class LandingScene {
  readonly dir: string;
  readonly repo: string;
  readonly runs: string;
  /** Null: nothing is pushed. */
  readonly remote: string | null;
  readonly checkedOut: boolean;
  readonly base: string;
  /** Commits of other people. */
  readonly others = new Set<string>();
  /** What landings said before they ended, or were killed. */
  readonly results: LandedResult[] = [];
  readonly faults: string[] = [];
  readonly #template: Template;
  readonly #random: Random;
  #kills = 0;

  constructor(template: Template, random: Random) {
    this.#template = template;
    this.#random = random;
    this.dir = mkdtempSync(join(template.root, 'scene-'));
    const { repo, runs } = template.copyTo(this.dir);
    this.repo = repo;
    this.runs = runs;
    this.base = git(repo, 'rev-parse', 'main');
    this.checkedOut = random() < 0.4;
    if (!this.checkedOut) git(repo, 'checkout', '--quiet', '--detach');
    this.remote = random() < 0.5 ? join(this.dir, 'remote.git') : null;
    if (this.remote === null) return;
    git(this.dir, 'clone', '--quiet', '--bare', repo, this.remote);
    git(repo, 'remote', 'add', 'origin', this.remote);
  }

  get kills(): number {
    return this.#kills;
  }

  #moment(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#random() * ms));
  }

  /** `scale`: about how long one landing takes. */
  async play(scale: number): Promise<void> {
    const landers = 2 + Math.floor(this.#random() * 3);
    const actors = Array.from({ length: landers }, () => this.#lander(scale));
    const people = Math.floor(this.#random() * 3);
    for (let at = 0; at < people; at += 1) actors.push(this.#person(at, scale));
    await Promise.all(actors);
  }

  async #lander(scale: number): Promise<void> {
    await this.#moment(scale);
    const shuffled = CHANGES.toSorted(() => this.#random() - 0.5);
    const chosen = shuffled.slice(0, 1 + Math.floor(this.#random() * 3));
    const killed = this.#random() < 0.6;
    await this.land(chosen, killed ? scale : null);
  }

  /** `killAfter`: kills the landing at a random moment of that time, or as soon as a commit is about to be published; null: not. */
  async land(changes: readonly string[], killAfter: number | null): Promise<void> {
    const { home } = this.#template;
    const args = [LANDER, home, this.repo, this.runs, this.remote === null ? '' : 'origin', ...changes];
    const child = spawn(process.execPath, args, { env: variables(home), stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    if (killAfter !== null) {
      await (this.#random() < 0.35 ? this.#moment(killAfter * changes.length) : this.#publishing(ended));
      if (child.exitCode === null && child.kill('SIGKILL')) this.#kills += 1;
    }
    const code = await ended;
    if (code !== 0 && code !== null) this.faults.push(`a landing ended with ${code}: ${said.stderr}`);
    if (said.stdout !== '') this.results.push(...(JSON.parse(said.stdout) as LandedResult[]));
  }

  /** A record is stored just before a branch moves. */
  async #publishing(ended: Promise<unknown>): Promise<void> {
    const count = (): number => {
      const dir = join(this.runs, 'landings');
      return existsSync(dir) ? readdirSync(dir).length : 0;
    };
    const before = count();
    const state = { over: false };
    void ended.then(() => (state.over = true));
    for (;;) {
      if (state.over || count() !== before) break;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await this.#moment(pick([5, 40, 150, 400], this.#random));
  }

  /** Commits a file of their own to the branch, by compare-and-swap. */
  async #person(at: number, scale: number): Promise<void> {
    await this.#moment(scale * 2);
    if (this.remote === null && this.checkedOut) return;
    const dir = this.remote ?? this.repo;
    for (let tries = 0; tries < 50; tries += 1) {
      const tip = git(dir, 'rev-parse', BRANCH);
      const file = join(this.dir, `person-${at}`);
      writeFileSync(file, `${at}\n`);
      const blob = git(dir, 'hash-object', '-w', file);
      const listing = `${git(dir, 'ls-tree', tip)}\n100644 blob ${blob}\tperson-${at}\n`;
      const tree = this.#mktree(dir, listing);
      const commit = git(dir, 'commit-tree', tree, '-p', tip, '-m', `person ${at}`);
      this.others.add(commit);
      try {
        git(dir, 'update-ref', BRANCH, commit, tip);
        break;
      } catch {
        await this.#moment(50);
      }
    }
    if (this.remote !== null) await this.pull();
  }

  #mktree(dir: string, listing: string): string {
    const file = join(this.dir, 'listing');
    writeFileSync(file, listing);
    return git(dir, '-c', `alias.tree=!git mktree < ${file}`, 'tree');
  }

  /** As `git pull --ff-only` would, where the branch may be checked out. A landing that is under way may come first. */
  async pull(): Promise<boolean> {
    for (let tries = 0; tries < 20; tries += 1) {
      try {
        if (this.checkedOut) git(this.repo, 'pull', '--quiet', '--ff-only', 'origin', 'main');
        else git(this.repo, 'fetch', '--quiet', 'origin', 'main:main');
        return true;
      } catch {
        await this.#moment(100);
      }
    }
    return false;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** How many runs can land, whatever the order. */
export const LANDABLE = GROUPS.length;

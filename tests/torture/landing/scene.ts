import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pick, type Random } from '../random.ts';
import { git, GROUPS, type Template } from './template.ts';

const BRANCH = 'refs/heads/main';

export interface LandedResult {
  readonly outcome: string;
  readonly run_id: string;
  readonly commit: string | null;
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
    this.dir = mkdtempSync(join(template.place.root, 'scene-'));
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
    const landers = 2 + Math.floor(this.#random() * 2);
    const actors = Array.from({ length: landers }, () => this.#lander(scale));
    const people = Math.floor(this.#random() * 3);
    for (let at = 0; at < people; at += 1) actors.push(this.#person(at, scale));
    await Promise.all(actors);
  }

  async #lander(scale: number): Promise<void> {
    await this.#moment(scale);
    const shuffled = [...this.#template.runs.values()].toSorted(() => this.#random() - 0.5);
    const chosen = shuffled.slice(0, 1 + Math.floor(this.#random() * 2));
    const killed = this.#random() < 0.6;
    await this.land(chosen, killed ? scale : null);
  }

  /** `killAfter`: kills the landing at a random moment of that time, or as soon as a commit is about to be published; null: not. */
  async land(runs: readonly string[], killAfter: number | null): Promise<void> {
    const push = this.remote === null ? [] : ['--push', 'origin'];
    const args = ['land', ...runs, '--onto', 'main', '--repo', this.repo, '--accept', 'exit_code', '--runs', this.runs];
    const running = this.#template.start([...args, ...push, '--json']);
    if (killAfter !== null) {
      await (this.#random() < 0.35 ? this.#moment(killAfter * runs.length) : this.#publishing(running.ended));
      if (running.child.kill('SIGKILL')) this.#kills += 1;
    }
    const { code, stdout, stderr } = await running.ended;
    if (stderr.includes('internal error') || (code === null && killAfter === null))
      this.faults.push(`a landing ended with ${code}: ${stderr}`);
    if (stdout !== '') this.results.push(...(JSON.parse(stdout).runs as LandedResult[]));
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

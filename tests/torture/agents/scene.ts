import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentsPlace } from '../../support/agents-place.ts';
import { pick, type Random } from '../random.ts';

const PHASES = ['one', 'two', 'three'];
const CODE = '```';
const NOTES = 'notes that were never committed\n';
const ENDS_WITHIN_MS = 300_000;

/** The first attempt is wrong, so that each phase has two claims and two verdicts. */
const plan = (id: string): string =>
  `## Attempt 1\n${CODE}sh\necho wrong >${id}.txt\n${CODE}\n## Attempt 2\n${CODE}sh\necho right >${id}.txt\n${CODE}\n## Check\n${CODE}sh\ngrep -q right ${id}.txt\n${CODE}\n`;

const TOML = `session_prefix = "k-"
repo = "repo"
[defaults]
backend = "demo"
${PHASES.map((id) => `[[phases]]\nid = "${id}"\nplan = "${id}.md"\n`).join('')}[agents.builder]
kind = "loop"
role = "builder"
[agents.adversary]
kind = "loop"
role = "adversary"
`;

const STRIKES = ['watchdog', 'server', 'everything', 'up'] as const;
type Strike = (typeof STRIKES)[number];

/** A builder and an adversary who go through three phases while whatever keeps them going is killed. */
export class AgentsScene {
  readonly #place = new AgentsPlace(TOML, Object.fromEntries(PHASES.map((id) => [`${id}.md`, plan(id)])));
  readonly #random: Random;
  readonly faults: string[] = [];
  readonly strikes = new Map<Strike, number>();

  constructor(random: Random) {
    this.#random = random;
    const repo = join(this.#place.project, 'repo');
    mkdirSync(repo);
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repo });
    git('init', '-q', '-b', 'main');
    writeFileSync(join(repo, 'start.txt'), 'start\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'Start');
  }

  /** Strikes at most `most` times, lets the phases end, and looks at what is left. */
  async play(most: number): Promise<void> {
    await this.#resume();
    writeFileSync(join(this.#clone('adversary'), 'notes.txt'), NOTES);
    for (let turn = 0; turn < most && this.#index() < PHASES.length; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, this.#random() * 2500));
      const before = this.#index();
      await this.#strike(pick(STRIKES, this.#random));
      await this.#resume();
      if (this.#index() < before) this.faults.push(`phase ${before + 1} was begun again after it had been reached`);
    }
    const end = Date.now() + ENDS_WITHIN_MS;
    while (this.#index() < PHASES.length && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 300));
    await this.#examine();
  }

  remove(): void {
    this.#place.remove();
  }

  #clone(agent: string): string {
    return join(this.#place.project, '.ao-state/clones', agent);
  }

  #index(): number {
    const path = join(this.#place.project, '.ao-state/state/phase-idx');
    return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  }

  async #strike(what: Strike): Promise<void> {
    this.strikes.set(what, (this.strikes.get(what) ?? 0) + 1);
    const watchdog = this.#place.facts('watchdog.started').at(-1)?.pid ?? 0;
    const server = Number(this.#place.tmux('display-message', '-p', '#{pid}').trim());
    const panes = this.#place.tmux('list-panes', '-a', '-F', '#{pane_pid}').trim().split('\n').map(Number);
    switch (what) {
      case 'watchdog':
        kill(watchdog);
        return;
      case 'server':
        kill(server);
        return;
      case 'everything':
        for (const pid of [server, watchdog, ...panes]) kill(pid);
        return;
      case 'up': {
        // Killed in the middle of starting what the server's end took away.
        kill(server);
        const { child, ended } = this.#place.start(['up', '--resume']);
        const timer = setTimeout(() => child.kill('SIGKILL'), this.#random() * 1500);
        await ended;
        clearTimeout(timer);
        return;
      }
      default:
        what satisfies never;
    }
  }

  /** As the timer of `boot install` does: until it has worked. */
  async #resume(): Promise<void> {
    let last = '';
    for (const end = Date.now() + ENDS_WITHIN_MS; Date.now() < end;) {
      const { code, stderr } = await this.#place.call('up', '--resume');
      if (code === 0) return;
      last = stderr;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    throw new Error(`up --resume does not bring the agents back: ${last}`);
  }

  async #lastFacts(): Promise<string> {
    const { stdout } = await this.#place.call('logs');
    const states = await this.#place.call('status');
    return [...stdout.trimEnd().split('\n').slice(-25), ...states.stdout.trimEnd().split('\n')].join('\n');
  }

  async #examine(): Promise<void> {
    const ended = this.#place.facts('phase.ended');
    const order = ended.map(({ phase, index }) => `${index} ${phase}`).join(', ');
    if (order !== PHASES.map((id, at) => `${at} ${id}`).join(', '))
      this.faults.push(`phases ended as ${order}; the journal ends with\n${await this.#lastFacts()}`);
    const log = execFileSync('git', ['log', '--format=%H'], { cwd: this.#clone('builder'), encoding: 'utf8' });
    for (const { commit, phase } of ended)
      if (!log.includes(commit)) this.faults.push(`the commit of phase ${phase} is lost`);
    const notes = join(this.#clone('adversary'), 'notes.txt');
    if (!existsSync(notes) || readFileSync(notes, 'utf8') !== NOTES) this.faults.push('an untracked file is lost');
    const shown = await this.#place.call('phase', 'log');
    if (shown.code !== 0) this.faults.push(`the journal does not verify: ${shown.stderr}`);
  }
}

function kill(pid: number): void {
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // Ended already.
  }
}

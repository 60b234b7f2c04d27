import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../ground.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for a condition. False: it did not come true in time. */
export async function until(condition, withinMs, everyMs = 20) {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await condition()) return true;
    await pause(everyMs);
  }
  return false;
}

/** A project with this many agents on a tmux server of its own. Demo agents take a kickoff; shells only live. */
export class BenchProject {
  constructor(count, backend) {
    this.root = mkdtempSync(join(tmpdir(), 'seatrial-bench-'));
    this.dir = join(this.root, 'project');
    this.names = Array.from({ length: count }, (_, n) => `a${n}`);
    const home = join(this.root, 'home');
    for (const dir of [this.dir, home]) mkdirSync(dir);
    this.socket = join(this.root, 'tmux.sock');
    this.env = {
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: join(this.root, 'run'),
      SEATRIAL_TMUX_SOCKET: this.socket,
    };
    const settings =
      backend === 'demo' ? 'backend = "demo"\nprompt = "Wait."' : 'backend = "command"\ncommand = "exec sleep 1000000"';
    writeFileSync(
      join(this.dir, 'agents.toml'),
      `session_prefix = "b-"\n${this.names.map((name) => `[agents.${name}]\nkind = "persistent"\n${settings}\n`).join('')}`,
    );
    process.once('exit', () => this.close());
  }

  command(...args) {
    return { argv: [process.execPath, join(ROOT, 'dist', 'seatrial.js'), ...args], cwd: this.dir, env: this.env };
  }

  call(...args) {
    const { argv, cwd, env } = this.command(...args);
    const done = spawnSync(argv[0], argv.slice(1), { cwd, env, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`seatrial ${args.join(' ')}: ${done.stderr}`);
    return done.stdout;
  }

  facts(type) {
    const text = readFileSync(join(this.dir, '.ao-state', 'state', 'journal.jsonl'), 'utf8');
    return text
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line))
      .filter((fact) => fact.type === type);
  }

  tmux(...args) {
    return spawnSync('tmux', ['-S', this.socket, ...args], { encoding: 'utf8' }).stdout;
  }

  serverPid() {
    return Number(this.tmux('display-message', '-p', '#{pid}'));
  }

  watchdogPid() {
    return this.facts('watchdog.started').at(-1)?.pid ?? 0;
  }

  /** The programs of all agents, by name: the last process of each pane. */
  programs() {
    const children = childrenOf();
    const leaf = (pid) => (children.has(pid) ? leaf(children.get(pid)) : pid);
    const panes = this.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_pid} #{pane_dead}').trim().split('\n');
    return new Map(
      panes
        .map((line) => line.split(' '))
        .filter(([name, , dead]) => name !== 'b-watchdog' && dead === '0')
        .map(([name, pid]) => [name.slice(2), leaf(Number(pid))]),
    );
  }

  close() {
    this.tmux('kill-server');
    // What the server's end hangs up on may still write for a moment.
    for (let attempt = 0; existsSync(this.root) && attempt < 50; attempt += 1) {
      spawnSync('rm', ['-rf', this.root]);
      if (existsSync(this.root)) spawnSync('sleep', ['0.2']);
    }
  }
}

/** One child of each process that has any. */
function childrenOf() {
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, Number(entry));
    } catch {
      // Ended meanwhile.
    }
  }
  return children;
}

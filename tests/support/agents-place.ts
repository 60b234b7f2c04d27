import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JournalEntry } from '../../src/agents/journal/schema.ts';
import { type Ended, Place, type Running } from './seatrial.ts';

/** A project with agents of the demo engine, on a tmux server of its own. */
export class AgentsPlace {
  readonly place = new Place();
  readonly socket = join(this.place.root, 'tmux.sock');
  readonly project = join(this.place.cwd, 'project');
  readonly env = { SEATRIAL_TMUX_SOCKET: this.socket, XDG_RUNTIME_DIR: join(this.place.root, 'runtime') };

  constructor(toml: string, files: Readonly<Record<string, string>> = {}) {
    for (const [name, content] of Object.entries({ 'agents.toml': toml, ...files })) this.write(name, content);
  }

  /** A file of the project. */
  write(name: string, content: string): void {
    mkdirSync(dirname(join(this.project, name)), { recursive: true });
    writeFileSync(join(this.project, name), content);
  }

  start(args: readonly string[], through?: readonly string[]): Running {
    return this.place.start(args, { cwd: this.project, env: this.env, ...(through === undefined ? {} : { through }) });
  }

  call(...args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  tmux(...args: readonly string[]): string {
    return spawnSync('tmux', ['-S', this.socket, ...args], { encoding: 'utf8' }).stdout;
  }

  journal(): JournalEntry[] {
    const text = readFileSync(join(this.project, '.ao-state/state/journal.jsonl'), 'utf8');
    return text
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as JournalEntry);
  }

  facts<T extends JournalEntry['type']>(type: T): Extract<JournalEntry, { readonly type: T }>[] {
    return this.journal().filter((entry): entry is Extract<JournalEntry, { readonly type: T }> => entry.type === type);
  }

  panePid(session: string): number {
    return Number(this.tmux('list-panes', '-s', '-t', `=${session}:`, '-F', '#{pane_pid}').trim());
  }

  /** Ends what runs there first: it would go on writing into what is removed. */
  remove(): void {
    this.tmux('kill-server');
    for (let tries = 0; tries < 200; tries += 1) {
      const left = processesNaming(this.place.root);
      for (const pid of left) kill(pid);
      if (left.length === 0) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
    this.place.remove();
  }
}

/** Those with a path on their command line. */
function processesNaming(path: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && commandLine(pid).includes(path));
}

export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

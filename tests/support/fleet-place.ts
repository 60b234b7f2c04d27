import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, Place, PROJECT, type Running, writeBelow } from './seatrial.ts';

/** agents.toml of a live project: two loops, one disabled task and a service, in the second of two phases. */
export const LIVE_TOML = `# The live one.
session_prefix = "cc-"
log_dir = ".logs"
kickoff = "prompts/kickoff.md"
roles_dir = "prompts"
[defaults]
backend = "demo"
model = "sonnet"
watch = "heal"
[models]
opus = "claude-opus-4-8"
sonnet = "claude-sonnet-4-6"
[[phases]]
id = "one"
plan = "plan-one.md"
models = "opus"
[[phases]]
id = "two"
plan = "plan-two.md"
models = { builder = "opus", adversary = "sonnet" }
[agents.builder]
kind = "loop"
role = "builder"
watch = "heal+stall"
[agents.adversary]
kind = "loop"
role = "adversary"
session = "adv"
watch = "heal+stall"
[agents.report]
kind = "task"
enabled = false
[agents.cleanlogs]
kind = "service"
command = "sleep 3600"
`;

const PROMPTS = {
  'prompts/kickoff.md': 'Phase {phase_id}: read /srv/plans/{plan}\nStatus: {status}\n\n{role}',
  'prompts/builder.md': 'Build it, {{as}} planned.\n',
  'prompts/adversary.md': 'Refute it.\n',
};

/** A machine with a live project, its boot chain, and a tmux server of its own. */
export class FleetPlace {
  readonly place = new Place();
  readonly socket = join(this.place.root, 'tmux.sock');
  readonly live = join(this.place.cwd, 'live');
  readonly staged = join(this.place.cwd, 'staged');
  readonly boot = join(this.place.cwd, 'boot');
  readonly unit = join(this.boot, 'loops.service');
  readonly env = {
    SEATRIAL_TMUX_SOCKET: this.socket,
    XDG_RUNTIME_DIR: join(this.place.root, 'runtime'),
    PATH: process.env['PATH'] ?? '',
  };

  /** `python`: the live project is run by the stand-in for the Python engine. */
  constructor({ python, toml = LIVE_TOML }: { readonly python: boolean; readonly toml?: string }) {
    writeBelow(this.live, {
      'agents.toml': toml,
      ...PROMPTS,
      ...(toml.includes('[[phases]]') ? { '.logs/state/phase-idx': '1\n' } : {}),
      '.gitignore': '/.logs/\n',
    });
    const git = (...args: readonly string[]) =>
      spawnSync('git', ['-C', this.live, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args]);
    if (python) cpSync(join(PROJECT, 'tests/support/python-engine/agents.py'), join(this.live, 'agents.py'));
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Live');
    this.#writeChain(
      python
        ? ['python3', join(this.live, 'agents.py'), 'up']
        : [process.execPath, join(PROJECT, 'dist/seatrial.js'), 'up', '--resume', '--project', this.live],
    );
  }

  /** As the boot chain of the seed: unit, two shell scripts, and a script in Python that starts the agents. */
  #writeChain(command: readonly string[]): void {
    mkdirSync(this.boot);
    const files = {
      'loops.service': `[Service]\nWorkingDirectory=${this.live}\nEnvironment=RESUME_PHASE=1\nExecStart=${this.boot}/loops-start\n`,
      'loops-start': '#!/bin/sh\nexec "$(dirname "$0")"/launch.sh start\n',
      'launch.sh': `#!/bin/sh\nexec python3 ${this.boot}/launch.py "$@"\n`,
      'launch.py': `import os\n\nos.execvp(${JSON.stringify(command[0])}, ${JSON.stringify(command)})\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(this.boot, name), text);
      chmodSync(join(this.boot, name), 0o755);
    }
  }

  /** What the machine does when it boots. */
  startLive(): void {
    const { status, stdout, stderr } = spawnSync(join(this.boot, 'loops-start'), {
      env: this.#machine(),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the boot chain failed: ${stdout}${stderr}`);
  }

  python(...args: readonly string[]): string {
    return spawnSync('python3', [join(this.live, 'agents.py'), ...args], { env: this.#machine(), encoding: 'utf8' })
      .stdout;
  }

  #machine(): Record<string, string> {
    return { ...this.env, HOME: this.place.home };
  }

  start(args: readonly string[], through?: readonly string[]): Running {
    return this.place.start(args, { env: this.env, ...(through === undefined ? {} : { through }) });
  }

  call(...args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  sessions(): string[] {
    const format = '#{session_name} #{pane_pid}';
    const { stdout } = spawnSync('tmux', ['-S', this.socket, 'list-panes', '-a', '-F', format], { encoding: 'utf8' });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .sort();
  }

  remove(): void {
    spawnSync('tmux', ['-S', this.socket, 'kill-server']);
    // Processes of panes may write until they have noticed that their terminal is gone.
    for (let left = 100; left > 0; left -= 1)
      try {
        this.place.remove();
        return;
      } catch (error) {
        if (left === 1) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      }
  }
}

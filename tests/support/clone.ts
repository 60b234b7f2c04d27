import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** What the launcher itself uses; a PATH with these alone is a machine with nothing installed. */
const BARE_MACHINE = 'bash sh cat cmp cp dirname env find flock ln mkdir mv readlink rm touch'.split(' ');

/** The command line of the clone tells what it was given, so that a test can see it. */
const TELLING_MAIN = `
import { realpathSync } from 'node:fs';
const { NODE_EXTRA_CA_CERTS, SEATRIAL_EXTRA_CA_CERTS } = process.env;
console.log(JSON.stringify({
  edition: 1, args: process.argv.slice(2), cwd: realpathSync(process.cwd()), NODE_EXTRA_CA_CERTS, SEATRIAL_EXTRA_CA_CERTS,
}));
process.exitCode = 7;
`;

/** The launcher's own files, and the table that tells it which commands need system packages. */
const COPIED = [
  'seatrial',
  'scripts/setup.sh',
  'scripts/build.mjs',
  'package.json',
  'package-lock.json',
  'src/cli/commands.ts',
  'src/cli/agent-commands.ts',
  'src/cli/fleet-commands.ts',
];

/** Built with the rest, but not called by these tests. */
const OTHER_PROGRAMS = [
  'src/gateway/process/main.ts',
  'src/engines/case/simulator/main.ts',
  'src/engines/demo/agent/main.ts',
  'src/agents/panes/ask-environment.ts',
];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly as?: string;
  readonly env?: Record<string, string>;
  readonly uid?: number;
}

/** The launcher in a directory of its own, as freshly cloned, on a machine with only node and a stand-in for npm. */
export class Clone {
  readonly home = mkdtempSync(join(tmpdir(), 'seatrial-clone-'));
  readonly root = join(this.home, 'a clone');
  readonly bin = join(this.home, 'bin');
  readonly launcher = join(this.root, 'seatrial');
  readonly main = join(this.root, 'src/cli/main.ts');

  constructor() {
    for (const part of COPIED) cpSync(join(PROJECT, part), join(this.root, part), { recursive: true });
    for (const program of OTHER_PROGRAMS) this.#source(join(this.root, program), 'export {};\n');
    this.#source(this.main, TELLING_MAIN);
    mkdirSync(this.bin);
    for (const name of BARE_MACHINE) this.#link(name);
    symlinkSync(process.execPath, join(this.bin, 'node'));
    this.program(
      'npm',
      `echo npm "$@" >>"${this.home}/npm-calls"; ln -sfn "${PROJECT}/node_modules" "$2/node_modules"`,
    );
  }

  /** Puts a shell script on the PATH of this machine. */
  program(name: string, script: string): void {
    const file = join(this.bin, name);
    rmSync(file, { force: true });
    writeFileSync(file, `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(file, 0o755);
  }

  without(name: string): void {
    rmSync(join(this.bin, name));
  }

  environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH: this.bin, HOME: this.home, ...more };
  }

  run(args: readonly string[], options: RunOptions = {}): Ended {
    const ended = spawnSync(options.as ?? this.launcher, args, {
      cwd: options.cwd ?? this.home,
      env: this.environment(options.env),
      encoding: 'utf8',
      ...(options.uid === undefined ? {} : { uid: options.uid }),
    });
    return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
  }

  start(args: readonly string[]): Promise<Ended> {
    const child = spawn(this.launcher, args, { env: this.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (data: string) => (text.stdout += data));
    child.stderr.setEncoding('utf8').on('data', (data: string) => (text.stderr += data));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...text }));
    });
  }

  giveTo(uid: number): void {
    const below = readdirSync(this.home, { recursive: true, encoding: 'utf8' }).map((name) => join(this.home, name));
    for (const path of [this.home, ...below]) lchownSync(path, uid, uid);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  #source(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  #link(name: string): void {
    const found = spawnSync('/bin/sh', ['-c', `command -v "${name}"`], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(found, join(this.bin, name));
  }
}

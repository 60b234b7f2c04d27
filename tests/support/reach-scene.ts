import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Report } from '../../src/evidence/schema/report.ts';
import { type CallOptions, Place, writeBelow } from './seatrial.ts';
import { attempts, gains, newCanary, type Prey } from './reach-attempts.ts';

export interface SceneOptions {
  /** The plain user who starts the command; left out: whoever runs the tests. */
  readonly uid?: number;
  /** Directories of Seatrial itself, to be looked into. */
  readonly own: readonly string[];
  readonly readOnly?: readonly string[];
  /** Without walls the attempts succeed, so they keep to what the scene has made itself. */
  readonly walls: boolean;
}

const SYSTEM_FILES = ['/etc/shadow', '/root'];
const SYSTEM_DIRS = ['/', '/etc', '/usr', '/usr/local', '/dev', '/judge', '/solution'];

/** A person's machine with things on it that are nobody's business, and a task whose engine and code go for them. */
export class Scene {
  readonly place = new Place();
  readonly canary = newCanary();
  readonly secrets = join(this.place.root, 'elsewhere');
  readonly nap = `12346.${this.canary.replaceAll(/\D/g, '')}`;
  connections = 0;
  readonly #options: SceneOptions;
  readonly #servers: Server[] = [];
  #bystander: ChildProcess | null = null;

  constructor(options: SceneOptions) {
    this.#options = options;
    writeBelow(this.secrets, { 'letter.txt': `${this.canary}-letter\n` });
    writeBelow(this.place.home, { '.netrc': `${this.canary}-home\n` });
    chmodSync(this.place.root, 0o755);
    const readOnly = (options.readOnly ?? []).map((path) => JSON.stringify(path)).join(', ');
    writeFileSync(join(this.place.cwd, 'seatrial.toml'), `[confine]\nread_only = [${readOnly}]\n`);
  }

  get call(): CallOptions {
    const { uid } = this.#options;
    return { env: { SECRET: `${this.canary}-environment` }, ...(uid === undefined ? {} : { uid }) };
  }

  /** Makes everything to go for, and gives the attempts at it. */
  async set(): Promise<string> {
    const { place, canary, secrets } = this;
    const port = await this.#listen(0);
    const socket = join(secrets, 'socket');
    await this.#listen(socket);
    chmodSync(secrets, 0o777);
    chmodSync(socket, 0o777);
    const environment = { BYSTANDER: `${canary}-bystander` };
    const { uid, own, walls } = this.#options;
    this.#bystander = spawn('sleep', ['12345'], {
      env: environment,
      stdio: 'ignore',
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    const bystander = this.#bystander.pid;
    if (bystander === undefined) throw new Error('no bystander');
    mkdirSync(place.runs, { recursive: true });
    const seatrials = [...own, place.runs, join(place.home, '.local/share/seatrial'), join(place.cwd, 'task')];
    const files = [place.home, join(place.home, '.netrc'), join(secrets, 'letter.txt'), ...seatrials];
    const prey: Prey = {
      canary,
      searched: walls ? '/[a-z]*' : secrets,
      paths: walls ? [...SYSTEM_FILES, ...files] : files,
      dirs: walls ? [...SYSTEM_DIRS, ...seatrials, secrets, place.home] : [secrets, place.home],
      bystander,
      port,
      socket,
      nap: this.nap,
    };
    return attempts(prey);
  }

  #listen(where: number | string): Promise<number> {
    const server = createServer((connection) => {
      this.connections += 1;
      connection.destroy();
    });
    this.#servers.push(server);
    return new Promise((resolve, reject) => {
      server.on('error', reject);
      const listening = (): void => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      };
      if (typeof where === 'number') server.listen(where, '127.0.0.1', listening);
      else server.listen(where, listening);
    });
  }

  /** For a plain user everything but the command must be his own. */
  handOver(): void {
    if (this.#options.uid !== undefined) this.place.giveToPlainUser();
  }

  get bystanderLives(): boolean {
    return this.#bystander?.exitCode === null && this.#bystander.signalCode === null;
  }

  /** Files that an attempt at writing has left on this machine. */
  get written(): string[] {
    const dirs = [this.secrets, this.place.home, ...this.#options.own, ...SYSTEM_DIRS];
    return dirs.filter((dir) => existsSync(join(dir, `${this.canary}-written`)));
  }

  remove(): void {
    this.#bystander?.kill('SIGKILL');
    // Should a wall ever have a hole, this machine is left as it was all the same.
    for (const dir of this.written) rmSync(join(dir, `${this.canary}-written`));
    for (const server of this.#servers) server.close();
    this.place.remove();
  }
}

/** What engine, tests and code under test each got, by the logs of a run. */
export function gainsOf({ run_dir }: Report): Record<'engine' | 'tests' | 'code', string[]> {
  const log = readFileSync(join(run_dir, 'test.log'), 'utf8');
  return {
    engine: gains(readFileSync(join(run_dir, 'backend/stdout.log'), 'utf8'), 'engine'),
    tests: gains(log, 'tests'),
    code: gains(log, 'code'),
  };
}

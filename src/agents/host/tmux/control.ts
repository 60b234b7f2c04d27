import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { spawnCommand } from '../../../confine/processes/spawn.ts';
import { ControlReader } from './control-reader.ts';
import { commandLine } from './quote.ts';
import { areQuestions, type TmuxAnswer, type TmuxTransport } from './transport.ts';

interface ControlOptions {
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  /** The session to attach to; it ought to live as long as the connection. */
  readonly session: string;
  /** Serves whenever the connection does not. */
  readonly fallback: TmuxTransport;
  readonly answerWithinMs?: number;
}

/** Versions of tmux are known that stop answering on such a connection. */
const ANSWER_WITHIN_MS = 5000;
const RECONNECT_AFTER_MS = 10_000;

interface Waiting {
  readonly mark: string;
  readonly resolve: (answer: TmuxAnswer | 'broken') => void;
}

interface Connection {
  readonly child: ChildProcess;
  readonly reader: ControlReader;
  waiting: Waiting | null;
}

/**
 * One control-mode client for all commands, which costs a fraction of a client for each. A connection that breaks or gives no answer is closed, and the
 * fallback serves until it is opened again: only a client of its own can tell a server that is gone from a session that is.
 */
export class ControlTransport implements TmuxTransport {
  readonly #options: ControlOptions;
  #connection: Connection | null = null;
  #triedAt = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** Whether the last answer came over the connection. */
  get connected(): boolean {
    return this.#connection !== null;
  }

  run(commands: readonly (readonly string[])[], input?: string): Promise<TmuxAnswer> {
    const answer = this.#turn.then(() => this.#answer(commands, input));
    this.#turn = answer;
    return answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    this.#drop();
    await this.#options.fallback.close();
  }

  async #answer(commands: readonly (readonly string[])[], input: string | undefined): Promise<TmuxAnswer> {
    const { fallback } = this.#options;
    const line = commands.map(commandLine).join(' ; ');
    // A request is one line, and starting a server needs a process of its own.
    const fits = input === undefined && commands[0]?.[0] !== 'new-session' && !/[\n\r\0]/.test(line);
    const connection = fits ? await this.#connect() : null;
    if (connection === null) return fallback.run(commands, input);
    const answer = await this.#ask(connection, line);
    if (answer !== 'broken') return answer;
    this.#drop();
    // A change is not repeated, because it may have been made.
    if (areQuestions(commands)) return fallback.run(commands);
    return { kind: 'unknown', why: 'the connection to tmux broke during a change' };
  }

  #ask(connection: Connection, line: string): Promise<TmuxAnswer | 'broken'> {
    return new Promise((resolve) => {
      const mark = `seatrial-${randomBytes(12).toString('hex')}`;
      const timer = setTimeout(() => finish('broken'), this.#options.answerWithinMs ?? ANSWER_WITHIN_MS);
      const finish = (answer: TmuxAnswer | 'broken'): void => {
        clearTimeout(timer);
        connection.waiting = null;
        resolve(answer);
      };
      connection.waiting = { mark, resolve: finish };
      connection.child.stdin?.write(`${line}\n${commandLine(['display-message', '-p', mark])}\n`);
    });
  }

  /** Null: there is none now. */
  async #connect(): Promise<Connection | null> {
    if (this.#connection !== null) return this.#connection;
    const { socket, env, session } = this.#options;
    const now = performance.now();
    if (this.#closed || now - this.#triedAt < RECONNECT_AFTER_MS || !existsSync(socket)) return null;
    this.#triedAt = now;
    const child = spawnCommand({
      file: 'tmux',
      args: ['-u', '-S', socket, '-C', 'attach-session', '-f', 'no-output,ignore-size', '-t', `=${session}`],
      env: { ...env },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      identity: null,
    });
    const connection: Connection = { child, reader: new ControlReader(), waiting: null };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      try {
        const answer = connection.reader.read(text, connection.waiting?.mark ?? '');
        if (answer !== null) connection.waiting?.resolve(answerOf(answer.ok, answer.lines));
      } catch {
        connection.waiting?.resolve('broken');
        if (this.#connection === connection) this.#drop();
      }
    });
    const ended = (): void => {
      connection.waiting?.resolve('broken');
      if (this.#connection === connection) this.#connection = null;
    };
    child.once('error', ended).once('close', ended);
    child.stdin?.on('error', ended);
    this.#connection = connection;
    // A session that is gone, or a tmux that does not know these options, is noticed before anything is asked.
    if ((await this.#ask(connection, commandLine(['display-message', '-p', '']))) !== 'broken') return connection;
    this.#drop();
    return null;
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.child.stdin?.destroy();
    connection?.child.kill('SIGKILL');
  }
}

function answerOf(ok: boolean, lines: readonly string[]): TmuxAnswer {
  return ok ? { kind: 'ok', lines } : { kind: 'error', message: lines.join('\n') };
}

import type { Attempts } from '../../evidence/schema/no-target.ts';
import type { Sandboxed, SandboxResult } from '../types.ts';
import { NOTHING_TRACED, Sieve, type Wanted } from './attempts.ts';
import { type TracedCall, descriptorPath, readCall, readTraceLine } from './line.ts';
import { Places } from './places.ts';
import { COMMAND_IS } from './start.ts';

export interface AuditFacts extends Wanted {
  /** The command's initial working directory. */
  readonly cwd: string;
}

/** The result of a trace. */
export interface Audited {
  readonly end: SandboxResult;
  readonly attempts: Attempts;
  /** Null: the trace covers the command from start to end. */
  readonly cut: { readonly before: 'start' | 'end'; readonly why: string } | null;
}

/** Error output of strace, or of the shell that failed to start it. */
const OWN_WORDS = /^(strace|audit): /;
const MAX_WORDS = 2000;

/** Reads the trace of a command started `withAudit`. The trace channel must be the first channel of the command. */
export class Audit {
  readonly #sandbox: Sandboxed;
  readonly #facts: AuditFacts;
  readonly #begun = new Map<number, string>();
  readonly #over: Promise<void>;
  #tracer: string | null = null;
  /** Set once the command is about to start; earlier calls are the harness's own. */
  #command: { readonly pid: number; readonly sieve: Sieve } | null = null;
  #exitCode: number | null = null;
  #tampered: string | null = null;
  #words = '';

  constructor(sandbox: Sandboxed, facts: AuditFacts) {
    this.#sandbox = sandbox;
    this.#facts = facts;
    this.#over = this.#read();
  }

  /** Call after the command has ended; `ended` is the result that its sandbox reported. */
  async settle(ended: SandboxResult): Promise<Audited> {
    await this.#over;
    for (const pid of this.#begun.keys()) this.#takeBegun(pid);
    const end = this.#endOf(ended);
    const cut = this.#cutBefore(end);
    return { end, attempts: this.#command?.sieve.found(cut === null) ?? NOTHING_TRACED, cut };
  }

  #read(): Promise<void> {
    const channel = this.#sandbox.channels[0];
    return new Promise((resolve) => {
      let rest = '';
      channel?.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#readLine(line);
      });
      channel?.once('end', resolve).once('close', resolve);
    });
  }

  #readLine(line: string): void {
    if (this.#tracer === null) this.#tracer = line;
    else if (this.#command === null && line.startsWith(COMMAND_IS)) {
      const pid = Number(line.slice(COMMAND_IS.length));
      this.#command = { pid, sieve: new Sieve(this.#facts, new Places(pid, this.#facts.cwd)) };
    } else this.#readTrace(line);
  }

  #readTrace(line: string): void {
    const read = readTraceLine(line);
    if (OWN_WORDS.test(line) && this.#words.length < MAX_WORDS) this.#words += `${line}\n`;
    if (read.kind === 'other' || this.#command === null) return;
    // Strace prints no id while there is only one process, the command itself.
    const pid = read.pid ?? this.#command.pid;
    switch (read.kind) {
      case 'call':
        return this.#take(pid, read.call);
      case 'begun':
        this.#begun.set(pid, read.text);
        return;
      case 'resumed':
        return this.#takeBegun(pid, read.text);
      case 'exit':
        this.#takeBegun(pid);
        this.#command.sieve.gone(pid);
        if (pid === this.#command.pid) this.#commandEnded(read.exitCode);
        return;
      default:
        read satisfies never;
    }
  }

  /** The second half is missing when the process ended during the call. */
  #takeBegun(pid: number, rest = ''): void {
    const text = this.#begun.get(pid);
    this.#begun.delete(pid);
    if (text !== undefined) this.#take(pid, readCall(text + rest));
  }

  #take(pid: number, call: TracedCall | null): void {
    if (call === null) return;
    this.#tampered ??= tampering(call, this.#tracer);
    this.#command?.sieve.take(pid, call);
  }

  /** Strace would wait for all remaining processes, but they must end together with the command. */
  #commandEnded(exitCode: number): void {
    this.#exitCode ??= exitCode;
    this.#sandbox.kill();
  }

  #endOf(ended: SandboxResult): SandboxResult {
    if (this.#exitCode === null || (ended.kind !== 'exited' && ended.kind !== 'killed')) return ended;
    return { kind: 'exited', exitCode: this.#exitCode, durationMs: ended.durationMs };
  }

  /** The trace of a command that the harness killed stops at the kill. If it exited by itself, its exit must be in the trace. */
  #cutBefore(end: SandboxResult): Audited['cut'] {
    if (this.#tampered !== null) return { before: 'end', why: this.#tampered };
    if (end.kind !== 'exited' || this.#exitCode !== null) return null;
    const before = this.#command === null ? 'start' : 'end';
    return { before, why: this.#words.trim() || `strace ended before the ${before} of the command` };
  }
}

/** Detects calls that could falsify the trace or hide calls from it. */
function tampering({ name, args, gave }: TracedCall, tracer: string | null): string | null {
  const opened = descriptorPath(gave);
  if (opened?.startsWith(`/proc/${tracer}/`) === true && opened.endsWith('/mem'))
    return 'the memory of strace was opened';
  return name === 'seccomp' && args.includes('SECCOMP_FILTER_FLAG_NEW_LISTENER')
    ? 'a seccomp listener was requested, which hides calls from strace'
    : null;
}

import { isWithin, pathText } from '../../kernel/path-text.ts';
import { addChannel, closing } from '../streams/channel.ts';
import type { Sandboxed, SandboxSpec } from '../types.ts';
import { COMMAND_IS } from './start.ts';
import { pathArguments, readCall, readTraceLine, type TracedCall } from './line.ts';
import { Places } from './places.ts';

const TRACED = '%file,fchdir,?fork,?vfork,clone,?clone3';
const OPTIONS = [
  '--follow-forks',
  '--seccomp-bpf',
  '--decode-fds=path',
  '--string-limit=4096',
  '--quiet=attach,personality',
  `--trace=${TRACED}`,
].join(' ');

/** A traced command keeps its exit code: strace passes it on. */
export function withFileTrace(spec: SandboxSpec, tracer: string): { spec: SandboxSpec; channel: number } {
  const { spec: wider, fd, before } = addChannel(spec);
  const kept = fd + 1;
  const launch = `echo "${COMMAND_IS}$$" >&${fd}; exec "$@" 2>&${kept} ${closing([fd, kept])}`;
  const trace = `exec ${kept}>&2 2>&${fd}; tracer=$1; launch=$2; shift 2
exec "$tracer" ${OPTIONS} -- /bin/sh -c "$launch" trace "$@"`;
  return {
    spec: { ...wider, argv: ['/bin/sh', '-c', trace, 'trace', tracer, launch, ...spec.argv] },
    channel: before.length,
  };
}

/** What a command did with files. Paths below the root are relative to it, all others absolute. */
export interface FileFacts {
  /** The trace reached the end of the command. */
  readonly complete: boolean;
  /** Opened for reading, or executed. */
  readonly read: readonly string[];
  /** Asked about by name (`stat`, `access`) and there. */
  readonly asked: readonly string[];
  /** Looked for and not there. */
  readonly missing: readonly string[];
  /** Opened for writing, renamed or removed. */
  readonly written: readonly string[];
  /** Directories that were opened. */
  readonly listed: readonly string[];
  /** Read outside the root. */
  readonly outside: readonly string[];
}

/** What several commands did with files, as if they were one. */
export function joinFileFacts(all: readonly FileFacts[]): FileFacts {
  const joined = (kind: Kind): string[] => [...new Set(all.flatMap((facts) => facts[kind]))].sort();
  return {
    complete: all.every(({ complete }) => complete),
    read: joined('read'),
    asked: joined('asked'),
    missing: joined('missing'),
    written: joined('written'),
    listed: joined('listed'),
    outside: joined('outside'),
  };
}

type Kind = Exclude<keyof FileFacts, 'complete'>;

/** More different paths of one kind than this make the trace incomplete: a record must stay small. */
const MAX_PATHS = 200_000;

/** Reads the channel of a command that was started `withFileTrace`. */
export class FileTrace {
  readonly #root: string;
  readonly #cwd: string;
  readonly #begun = new Map<number, string>();
  readonly #paths: Record<Kind, Set<string>> = {
    read: new Set(),
    asked: new Set(),
    missing: new Set(),
    written: new Set(),
    listed: new Set(),
    outside: new Set(),
  };
  readonly #over: Promise<void>;
  /** Processes that run git, which looks at every tracked file of a tree to find out what changed. */
  readonly #git = new Set<number>();
  #command: { readonly pid: number; readonly places: Places } | null = null;
  #ended = false;
  #full = false;

  constructor(sandbox: Sandboxed, channel: number, { root, cwd }: { readonly root: string; readonly cwd: string }) {
    this.#root = root;
    this.#cwd = cwd;
    this.#over = this.#follow(sandbox, channel);
  }

  /** After the command has ended. */
  async facts(): Promise<FileFacts> {
    await this.#over;
    const sorted = (kind: Kind): string[] => [...this.#paths[kind]].sort();
    return {
      complete: this.#ended && !this.#full,
      read: sorted('read'),
      asked: sorted('asked'),
      missing: sorted('missing'),
      written: sorted('written'),
      listed: sorted('listed'),
      outside: sorted('outside'),
    };
  }

  #follow(sandbox: Sandboxed, index: number): Promise<void> {
    const channel = sandbox.channels[index];
    return new Promise((resolve) => {
      let rest = '';
      channel?.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#readLine(line);
      });
      channel?.once('end', resolve).once('close', resolve);
      if (channel === undefined) resolve();
    });
  }

  #readLine(line: string): void {
    if (this.#command === null) {
      if (!line.startsWith(COMMAND_IS)) return;
      const pid = Number(line.slice(COMMAND_IS.length));
      this.#command = { pid, places: new Places(pid, this.#cwd) };
      return;
    }
    const traced = readTraceLine(line);
    if (traced.kind === 'other') return;
    const pid = traced.pid ?? this.#command.pid;
    switch (traced.kind) {
      case 'call':
        return this.#take(pid, traced.call);
      case 'begun':
        this.#begun.set(pid, traced.text);
        return;
      case 'resumed':
        return this.#resume(pid, traced.text);
      case 'exit':
        this.#resume(pid, '');
        this.#command.places.forget(pid);
        this.#git.delete(pid);
        if (pid === this.#command.pid) this.#ended = true;
        return;
      default:
        traced satisfies never;
    }
  }

  #resume(pid: number, rest: string): void {
    const text = this.#begun.get(pid);
    this.#begun.delete(pid);
    const call = text === undefined ? null : readCall(text + rest);
    if (call !== null) this.#take(pid, call);
  }

  #take(pid: number, call: TracedCall): void {
    const places = this.#command?.places;
    if (places === undefined) return;
    const kinds = this.#git.has(pid) ? kindsOf(call).flatMap(asSeenByGit) : kindsOf(call);
    if (kinds.length > 0) {
      const paths = pathArguments(call);
      for (const [index, passed] of places.reached(pid, call).entries()) {
        const last = passed?.at(-1);
        if (last === undefined || paths[index]?.path === '') continue;
        for (const kind of kinds) this.#add(kind, last);
      }
    }
    places.note(pid, call);
    this.#noteGit(pid, call);
  }

  #noteGit(pid: number, call: TracedCall): void {
    if (call.result !== 'ok') return;
    if (RUNS.test(call.name)) {
      if (/(?:^|\/)git$/.test(pathArguments(call)[0]?.path ?? '')) this.#git.add(pid);
      else this.#git.delete(pid);
    } else if (BEARS.test(call.name) && this.#git.has(pid)) this.#git.add(Number.parseInt(call.gave, 10));
  }

  #add(kind: Kind, place: string): void {
    const inside = isWithin(place, this.#root);
    if (!inside && kind !== 'read') return;
    const bytes = inside ? place.slice(this.#root.length).replace(/^\//, '') : place;
    if (bytes === '') return;
    const set = this.#paths[inside ? kind : 'outside'];
    if (set.size >= MAX_PATHS) this.#full = true;
    else set.add(pathText(Buffer.from(bytes, 'latin1')));
  }
}

const OPENS = /^(open|openat|openat2|creat)$/;
const ASKS = /^(stat|lstat|newfstatat|fstatat64|statx|access|faccessat2?|readlink|readlinkat|statfs)$/;
const CHANGES = /^(rename|renameat2?|unlink|unlinkat|truncate|link|linkat|symlink|symlinkat)$/;
const RUNS = /^execve(at)?$/;
const BEARS = /^(v?fork|clone3?)$/;

/** Git's own look at a file says nothing about the tests, and what it reads counts only where the tests name it. */
function asSeenByGit(kind: Kind): readonly Kind[] {
  if (kind === 'read') return ['asked'];
  return kind === 'asked' ? [] : [kind];
}

/** What a call shows about the paths it names. */
function kindsOf({ name, args, result }: TracedCall): readonly Kind[] {
  if (result === 'ENOENT' || result === 'ENOTDIR')
    return OPENS.test(name) || ASKS.test(name) || RUNS.test(name) ? ['missing'] : [];
  if (result !== 'ok') return [];
  if (RUNS.test(name)) return ['read'];
  if (ASKS.test(name)) return ['asked'];
  if (CHANGES.test(name)) return ['written'];
  if (!OPENS.test(name)) return [];
  if (/\bO_DIRECTORY\b/.test(args)) return ['listed'];
  if (name === 'creat' || /\bO_WRONLY\b/.test(args)) return ['written'];
  return /\b(O_RDWR|O_TRUNC)\b/.test(args) ? ['read', 'written'] : ['read'];
}

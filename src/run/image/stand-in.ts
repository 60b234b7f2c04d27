import { posix } from 'node:path';
import type { ImageTask } from '../../task/image/image-task.ts';
import { type DockerInstruction, pairsOf, substitute, wordsOf } from '../../task/image/dockerfile.ts';
import { standInFor } from './base-images.ts';
import { mergeNeeds, NO_NEEDS, readRunStep, type StepNeeds } from './run-step.ts';

/** A `COPY`: paths of the build context, and where they go, as seen inside. */
export interface CopyStep {
  readonly from: readonly string[];
  /** With a slash at the end: a directory. */
  readonly to: string;
  readonly heredoc: string | null;
}

/** What a Dockerfile asks of this machine. */
export interface StandIn {
  readonly from: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly copies: readonly CopyStep[];
  readonly needs: StepNeeds;
}

/** The sandbox sets these itself. */
const OF_SANDBOX = new Set(['PATH', 'HOME', 'TMPDIR', 'USER', 'SHELL', 'DEBIAN_FRONTEND']);
/** Instructions that say nothing about files or programs. */
const IGNORED = new Set([
  'CMD',
  'ENTRYPOINT',
  'EXPOSE',
  'LABEL',
  'MAINTAINER',
  'HEALTHCHECK',
  'STOPSIGNAL',
  'SHELL',
  'VOLUME',
  'USER',
]);

/** Reads a Dockerfile as a list of what must be there; `why`: what takes a real image. Pure. */
export function readStandIn(task: ImageTask): StandIn | { readonly why: string } {
  const [needed] = [...task.needsMore, ...task.needs];
  if (needed !== undefined) return { why: needed };
  if (task.dockerfile === null) return { why: 'it has no Dockerfile' };
  return new Reader(task).read(task.dockerfile);
}

class Reader {
  readonly #variables = new Map<string, string>();
  readonly #env: Record<string, string> = {};
  readonly #copies: CopyStep[] = [];
  readonly #task: ImageTask;
  #from: string | null = null;
  #workdir = '/';
  #needs: StepNeeds = NO_NEEDS;

  constructor(task: ImageTask) {
    this.#task = task;
  }

  read(instructions: readonly DockerInstruction[]): StandIn | { readonly why: string } {
    for (const instruction of instructions) {
      const why = this.#take(instruction);
      if (why !== null) return { why };
    }
    if (this.#from === null) return { why: 'its Dockerfile has no FROM' };
    const workdir = this.#task.workdir ?? this.#workdir;
    if (workdir === '/') return { why: 'its Dockerfile sets no WORKDIR' };
    const env = { ...this.#env, ...this.#task.env };
    return { from: this.#from, workdir, env, copies: this.#copies, needs: this.#needs };
  }

  /** Null, or what takes an image. */
  #take({ name, text, heredocs }: DockerInstruction): string | null {
    switch (name) {
      case 'FROM':
        return this.#takeFrom(text);
      case 'WORKDIR':
        this.#workdir = posix.resolve(this.#workdir, this.#substituted(wordsOf(text)[0] ?? ''));
        return null;
      case 'ENV':
      case 'ARG':
        return this.#takeVariables(name, text);
      case 'COPY':
      case 'ADD':
        return this.#takeCopy(text, heredocs);
      case 'RUN':
        return this.#takeRun(text, heredocs);
      default:
        return IGNORED.has(name) ? null : `${name} ${text}`.trim();
    }
  }

  #takeFrom(text: string): string | null {
    if (this.#from !== null) return 'it is built in several stages';
    const image = this.#substituted(wordsOf(text).find((word) => !word.startsWith('--')) ?? '');
    this.#from = image;
    const found = standInFor(image);
    if ('why' in found) return found.why;
    this.#needs = mergeNeeds(this.#needs, { ...NO_NEEDS, programs: found.programs });
    return null;
  }

  #takeVariables(kind: 'ENV' | 'ARG', text: string): null {
    for (const [name, raw] of pairsOf(text)) {
      const value = this.#substituted(raw);
      this.#variables.set(name, value);
      if (kind === 'ENV' && !OF_SANDBOX.has(name)) this.#env[name] = value;
    }
    return null;
  }

  #takeCopy(text: string, heredocs: readonly string[]): string | null {
    const flags = /^(?:--\S+\s+)*/.exec(text)?.[0] ?? '';
    if (flags.includes('--from')) return `COPY ${text}`;
    const words = wordsOf(text.slice(flags.length)).map((word) => this.#substituted(word));
    const to = words.at(-1) ?? '';
    const from = words.slice(0, -1);
    if (from.length === 0 || from.some((path) => /^(?:https?|git):|^git@/.test(path))) return `ADD ${text}`;
    const isDir = to.endsWith('/') || to === '.' || from.length > 1;
    const place = posix.resolve(this.#workdir, to);
    const isDocument = from[0]?.startsWith('<<') === true;
    this.#copies.push({
      from: isDocument ? [] : from,
      to: isDir && place !== '/' ? `${place}/` : place,
      heredoc: isDocument ? (heredocs[0] ?? '') : null,
    });
    return null;
  }

  #takeRun(text: string, heredocs: readonly string[]): string | null {
    const words = text.trimStart().startsWith('[') ? wordsOf(text) : null;
    const plain = words === null ? text.replace(/^(?:--\S+\s+)+/, '') : words.join(' ');
    const script = heredocs.length > 0 && plain.startsWith('<<') ? heredocs.join('\n') : plain;
    const read = readRunStep(script, this.#workdir);
    if (typeof read === 'string') return read;
    this.#needs = mergeNeeds(this.#needs, read);
    return null;
  }

  #substituted(text: string): string {
    return substitute(text, this.#variables);
  }
}

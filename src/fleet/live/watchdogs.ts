import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { refOf } from '../../confine/processes/process-life.ts';
import { WATCHDOG } from '../../agents/config/project.ts';
import { systemCode } from '../../kernel/errors.ts';
import { type LiveProject, readLiveProject } from './read.ts';

/** A process that keeps the agents of a prefix alive, of either system. */
export interface WatchdogProcess {
  readonly pid: number;
  readonly startTime: string;
  /** The project that it was started for. */
  readonly dir: string;
}

/** What two watchdogs must not share. */
export interface Guarded {
  readonly socket: string;
  readonly prefix: string;
}

export interface Candidate {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly startTime: string;
  readonly dir: string;
}

/**
 * Every process of this machine that was started as `… watchdog` for a project with this prefix on this tmux server, whatever locks and
 * sessions say.
 */
export function findWatchdogs({ socket, prefix }: Guarded): readonly WatchdogProcess[] {
  const candidates = readdirSync('/proc').flatMap((name): Candidate[] => {
    const candidate = /^\d+$/.test(name) ? candidateOf(Number(name)) : null;
    return candidate === null ? [] : [candidate];
  });
  const same = candidates.flatMap((candidate) => {
    const found = placeOf(candidate.dir, candidate.pid);
    const matches = found !== null && found.socket === socket && found.prefix === prefix;
    return matches ? [{ ...candidate, dir: found.dir }] : [];
  });
  return countable(same).map(({ pid, startTime, dir }) => ({ pid, startTime, dir }));
}

/**
 * Each watchdog once: not its copy in the moment before it executes another program, which has the same command line, and not the program that
 * started it under a command line of its own. Pure.
 */
export function countable(candidates: readonly Candidate[]): readonly Candidate[] {
  const commands = new Map(candidates.map(({ pid, command }) => [pid, command]));
  const originals = candidates.filter(({ parent, command }) => commands.get(parent) !== command);
  const starters = new Set(originals.map(({ parent }) => parent));
  return originals.filter(({ pid }) => !starters.has(pid));
}

function candidateOf(pid: number): Candidate | null {
  const argv = procText(pid, 'cmdline')?.split('\0').slice(0, -1) ?? [];
  if (!argv.slice(1).includes(WATCHDOG)) return null;
  const ref = refOf(pid);
  const cwd = cwdOf(pid);
  if (ref === null || cwd === null) return null;
  const parent = Number(/\) \S (\d+) /.exec(procText(pid, 'stat') ?? '')?.[1] ?? 0);
  return { pid, parent, command: argv.join('\0'), startTime: ref.startTime, dir: projectDirOf(argv, cwd) };
}

/** What `--project` names, else where the engine's script lies, else where it works. */
function projectDirOf(argv: readonly string[], cwd: string): string {
  const at = argv.indexOf('--project');
  const named = at === -1 ? undefined : argv[at + 1];
  if (named !== undefined) return resolve(cwd, named);
  const script = argv.find((word) => word.endsWith('.py'));
  return script === undefined ? cwd : dirname(isAbsolute(script) ? script : resolve(cwd, script));
}

/** With the process's own environment, which decides about its tmux server. */
function placeOf(dir: string, pid: number): LiveProject | null {
  try {
    return readLiveProject(dir, environmentOf(pid));
  } catch {
    return null;
  }
}

function environmentOf(pid: number): Record<string, string> {
  const pairs = (procText(pid, 'environ') ?? '').split('\0').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [] : [[pair.slice(0, at), pair.slice(at + 1)] as const];
  });
  return Object.fromEntries(pairs);
}

function procText(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return null;
  }
}

function cwdOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

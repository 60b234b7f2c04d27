import { SANDBOX_PATH } from '../../../confine/environment.ts';
import type { Mount, SandboxMachine } from '../../../confine/types.ts';

/** Paths inside the judge's sandboxes. A driver reads them from its plan, since they differ without a sandbox. */
export const WORKSPACE = '/workspace';
export const TESTS = '/workspace/tests';
export const DRIVERS = '/judge';
/** For compiler output; empty at the start of each run. */
export const BUILD = '/build';

/** One sandbox of the judge, before it is known how long it may last. */
export interface SandboxCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>> & { readonly PATH: string };
  readonly mounts: readonly Mount[];
  readonly channels: number;
  /** Where it starts, as seen inside; the workspace unless given. */
  readonly cwd?: string;
  /** The machine that it imitates; absent: it looks like a sandbox. */
  readonly machine?: SandboxMachine;
  /** Maps usual paths to other paths in this sandbox. Mounts, `cwd` and PATH are given as usual paths. */
  readonly place?: (path: string) => string;
}

/** How the code under test takes part. */
export type Subject =
  /** In the process of the tests themselves. */
  | { readonly kind: 'shared' }
  /** In a sandbox that answers calls over a wire, which is descriptor 4 of the tests. */
  | { readonly kind: 'worker'; readonly cell: SandboxCommand }
  /** In a fresh sandbox for each call that is announced on descriptor 4 of the tests. */
  | { readonly kind: 'calls'; readonly dirs: CallDirs; readonly cell: Omit<SandboxCommand, 'argv'> };

/** Directories of this machine. Only `requests` can be written by the tests: nothing in it is followed or trusted. */
export interface CallDirs {
  readonly requests: string;
  readonly results: string;
}

/** One way to call a test runner. */
export interface Invocation {
  readonly tests: SandboxCommand;
  readonly subject: Subject;
  /** What the driver is to do, its first line on the channel; null for scripts, which have no driver. */
  readonly plan: Readonly<Record<string, unknown>> | null;
}

export function searchPath(dirs: readonly string[]): { readonly PATH: string } {
  return { PATH: [...dirs, SANDBOX_PATH].join(':') };
}

/** The same PATH with further directories before the system's. */
export function withSearched(path: string, dirs: readonly string[]): string {
  const at = path.lastIndexOf(SANDBOX_PATH);
  const before = path.slice(0, at).split(':');
  const added = dirs.filter((dir) => !before.includes(dir)).map((dir) => `${dir}:`);
  return `${path.slice(0, at)}${added.join('')}${path.slice(at)}`;
}

/** The directory of a command, as seen inside. */
export function dirInside(dir: string | undefined): string {
  return dir === undefined || dir === '' ? WORKSPACE : `${WORKSPACE}/${dir}`;
}

export function readOnly(source: string, target: string): Mount {
  return { source, target, mode: 'ro' };
}

export function writable(source: string, target: string): Mount {
  return { source, target, mode: 'rw' };
}

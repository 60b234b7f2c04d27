import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { sha256 } from '../../kernel/digest.ts';
import { runTool } from '../processes/spawn.ts';
import type { FoundTool } from './tool-cache.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** Asks which program a file found on PATH really is. */
export interface ToolQuestion {
  readonly name: string;
  readonly candidate: string;
  /** For Python: a module that it must be able to import. */
  readonly needsModule: string | null;
  readonly env: ToolEnvironment;
  /** The program must not be started, not even for its version. */
  readonly isNeverRun: boolean;
}

/** The answer. `restsOn`: the files that it depends on; null: they cannot all be named, so the answer must not be cached. */
export interface Identified {
  readonly found: FoundTool | null;
  readonly restsOn: readonly string[] | null;
}

export const DOES_NOT_SERVE: Identified = { found: null, restsOn: null };

export const digestOf = (path: string): string => sha256(readFileSync(realpathSync(path)));

/** Compares real paths. */
export function isSameFile(one: string, other: string): boolean {
  return realpathSync(one) === realpathSync(other);
}

/** The interpreter line of a script; null: not a script. */
export function interpreterOf(path: string): string | null {
  const fd = openSync(path, 'r');
  try {
    const head = Buffer.alloc(256);
    const text = head.toString('latin1', 0, readSync(fd, head));
    return text.startsWith('#!') ? (text.slice(2).split('\n')[0] ?? '').trim() : null;
  } finally {
    closeSync(fd);
  }
}

/** All shared libraries; the caller filters out those of the system. */
export async function librariesOf(executable: string): Promise<string[]> {
  const { stdout } = await runTool('ldd', [executable]);
  return [...stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path = '']) => path);
}

/** The trimmed output of a program; null: it could not be run, or it failed. */
export async function ask(file: string, args: readonly string[], env: ToolEnvironment): Promise<string | null> {
  const { exitCode, stdout } = await runTool(file, args, { env, timeoutMs: 15_000 });
  return exitCode === 0 ? stdout.trim() : null;
}

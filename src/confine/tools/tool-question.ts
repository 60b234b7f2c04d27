import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { sha256 } from '../../kernel/digest.ts';
import { runTool } from '../processes/spawn.ts';
import type { FoundTool } from './tool-cache.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** What is behind a file that a PATH offers under a name? */
export interface ToolQuestion {
  readonly name: string;
  readonly candidate: string;
  /** For Python: what it has to be able to import. */
  readonly needsModule: string | null;
  readonly env: ToolEnvironment;
}

/** The answer. `restsOn`: the files that it came from; null: it came from more than can be named, so it holds for now only. */
export interface Identified {
  readonly found: FoundTool | null;
  readonly restsOn: readonly string[] | null;
}

export const DOES_NOT_SERVE: Identified = { found: null, restsOn: null };

export const digestOf = (path: string): string => sha256(readFileSync(realpathSync(path)));

/** The same file, however it is named. */
export function isSameFile(one: string, other: string): boolean {
  return realpathSync(one) === realpathSync(other);
}

/** The interpreter that a script names in its first line; null: it is no script. */
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

/** Shared libraries, wherever they lie; the caller leaves out what belongs to the system. */
export async function librariesOf(executable: string): Promise<string[]> {
  const { stdout } = await runTool('ldd', [executable]);
  return [...stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path = '']) => path);
}

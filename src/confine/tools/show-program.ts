import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { interpreterOf } from './tool-question.ts';
import { resolveTool, type ToolSearch } from './toolchain.ts';
import type { Mount } from '../types.ts';

/** A program of this machine as a confined command finds it. */
export interface ShownProgram {
  /** Of the copy that is shown, on this machine. */
  readonly copy: string;
  readonly mounts: readonly Mount[];
  /** Inside. */
  readonly command: string;
  /** What to put in front of the PATH: the program calls itself, and its interpreter, by name. */
  readonly searched: readonly string[];
}

const INSIDE = '/engine';

/** Shows a copy that nobody else can change, alone in its folder; a script brings its interpreter with it. */
export async function showProgram(path: string, dir: string, search: ToolSearch): Promise<ShownProgram> {
  mkdirSync(dir, { mode: 0o755 });
  const copy = join(dir, basename(path));
  copyFileSync(path, copy);
  chmodSync(copy, 0o755);
  const interpreter = foundByEnv(copy);
  const tool = interpreter === null ? null : await resolveTool(interpreter, search);
  if (interpreter !== null && tool === null)
    throw new SeatrialError('blocked', `${path} is a script for ${interpreter}, which is not installed`);
  return {
    copy,
    mounts: [{ source: dir, target: INSIDE, mode: 'ro' }, ...(tool?.mounts ?? [])],
    command: `${INSIDE}/${basename(path)}`,
    searched: [INSIDE, ...(tool?.pathEntries ?? [])],
  };
}

/** An interpreter's name, if it is found through `env`; what lies at a fixed place of the system is there anyway. */
function foundByEnv(path: string): string | null {
  return /^\/usr\/bin\/env (?:-S )?([\w.+-]+)/.exec(interpreterOf(path) ?? '')?.[1] ?? null;
}

import { chmodSync, copyFileSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { diskFullText } from '../../kernel/errors.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { interpreterOf } from './tool-question.ts';
import { resolveTool, type ToolSearch } from './toolchain.ts';
import type { Mount } from '../types.ts';

/** A host program as it is mounted for confined commands. */
export interface ShownProgram {
  /** Host path of the mounted copy. */
  readonly copy: string;
  readonly mounts: readonly Mount[];
  /** Path in the sandbox. */
  readonly command: string;
  /** Directories to prepend to PATH: the program calls itself, and its interpreter, by name. */
  readonly searched: readonly string[];
}

const INSIDE = '/engine';

/** Mounts a private copy, alone in its directory, together with the interpreter if the program is a script. */
export async function showProgram(path: string, dir: string, search: ToolSearch): Promise<ShownProgram> {
  mkdirSync(dir, { mode: 0o755 });
  const copy = join(dir, basename(path));
  copyProgram(path, copy);
  const interpreter = foundByEnv(copy);
  const tool = interpreter === null ? null : await resolveTool(interpreter, search);
  if (interpreter !== null && tool === null) throw new Refused(reason('interpreter_missing', { path, interpreter }));
  return {
    copy,
    mounts: [{ source: dir, target: INSIDE, mode: 'ro' }, ...(tool?.mounts ?? [])],
    command: `${INSIDE}/${basename(path)}`,
    searched: [INSIDE, ...(tool?.pathEntries ?? [])],
  };
}

/** Programs may be large: a full disk is no fault of theirs. */
function copyProgram(path: string, copy: string): void {
  try {
    copyFileSync(path, copy);
    chmodSync(copy, 0o755);
  } catch (error) {
    const why = diskFullText(error);
    if (why === null) throw error;
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    throw new Refused(
      reason('program_not_copied', { path, megabytes: Math.ceil(bytes / 1e6), dir: dirname(copy), why }),
    );
  }
}

/** Mounts a program where it is installed, with its package and its interpreter. */
export async function showInstalled(path: string, search: ToolSearch): Promise<Omit<ShownProgram, 'copy'>> {
  const near = { ...search, path: `${dirname(path)}:${search.path}` };
  const tool = await resolveTool(basename(path), { ...near, isNeverRun: true });
  if (tool === null) throw new Refused(reason('provider_unavailable'));
  const real = realpathSync(path);
  const name = foundByEnv(real);
  const interpreter = name === null ? null : await resolveTool(name, near);
  if (name !== null && interpreter === null)
    throw new Refused(reason('interpreter_missing', { path, interpreter: name }));
  return {
    mounts: [...tool.mounts, ...(interpreter?.mounts ?? [])],
    command: tool.command,
    searched: [...tool.pathEntries, ...(interpreter?.pathEntries ?? [])],
  };
}

/** The interpreter's name if the script finds it through `env`. Interpreters at fixed system paths are mounted anyway. */
function foundByEnv(path: string): string | null {
  return /^\/usr\/bin\/env (?:-S )?([\w.+-]+)/.exec(interpreterOf(path) ?? '')?.[1] ?? null;
}

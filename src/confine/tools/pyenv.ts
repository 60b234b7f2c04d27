import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ToolEnvironment } from './tool-environment.ts';
import { ask } from './tool-question.ts';

/** The root of pyenv, if the candidate is one of its shims (scripts that start the selected version). */
function pyenvOf(candidate: string): string | null {
  const dir = dirname(candidate);
  const root = dirname(dir);
  const program = join(root, 'libexec', 'pyenv');
  return basename(dir) === 'shims' && existsSync(program) ? root : null;
}

/** Files that pyenv selects a version by, besides its variables; null: the candidate is not a pyenv shim. */
export function pyenvFilesBehind(candidate: string): readonly string[] | null {
  const root = pyenvOf(candidate);
  // Candidates are run in the root directory.
  return root === null ? null : [join(root, 'version'), '/.python-version'];
}

/** The program that a pyenv shim would start; null: the candidate is not a shim, or its program does not exist. */
export async function behindPyenv(name: string, candidate: string, env: ToolEnvironment): Promise<string | null> {
  const root = pyenvOf(candidate);
  if (root === null) return null;
  // The shim's own root takes precedence over the caller's PYENV_ROOT.
  const program = await ask(join(root, 'libexec', 'pyenv'), ['which', name], { ...env, PYENV_ROOT: root });
  return program !== null && program.startsWith('/') && existsSync(program) ? program : null;
}

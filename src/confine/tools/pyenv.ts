import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ask, type ToolEnvironment } from './tool-environment.ts';

/** Where pyenv lies, if a candidate is one of its shims: a script that starts whatever version was chosen. */
function pyenvOf(candidate: string): string | null {
  const dir = dirname(candidate);
  const root = dirname(dir);
  const program = join(root, 'libexec', 'pyenv');
  return basename(dir) === 'shims' && existsSync(program) ? root : null;
}

/** The files by which pyenv chooses, besides its variables; null: the candidate is no shim of pyenv. */
export function pyenvFilesBehind(candidate: string): readonly string[] | null {
  const root = pyenvOf(candidate);
  // Programs are asked in the root folder.
  return root === null ? null : [join(root, 'version'), '/.python-version'];
}

/** The program that a shim of pyenv would start; null: the candidate is no such shim, or it leads nowhere. */
export async function behindPyenv(name: string, candidate: string, env: ToolEnvironment): Promise<string | null> {
  const root = pyenvOf(candidate);
  if (root === null) return null;
  // A shim knows where it belongs, whatever the variable says.
  const told = await ask(join(root, 'libexec', 'pyenv'), ['which', name], { ...env, PYENV_ROOT: root });
  return told !== null && told.startsWith('/') && existsSync(told) ? told : null;
}

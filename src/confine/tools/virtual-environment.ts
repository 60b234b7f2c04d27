import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Mount } from '../types.ts';
import { isCredentialFile } from './credentials.ts';
import type { ToolSearch } from './toolchain.ts';

const NAMES = ['.venv', 'venv', 'env'];

/**
 * Looks for programs in the virtual environment beside a repository's files first, as its developers do. `tree` is the copy that is worked
 * on: an environment that it contains is content of the repository, and nothing of it is run on this machine.
 */
export function withVirtualEnvironment<S extends Pick<ToolSearch, 'path'>>(search: S, repo: string, tree: string): S {
  const name = NAMES.find(
    (one) =>
      existsSync(join(repo, one, 'pyvenv.cfg')) && lstatSync(join(tree, one), { throwIfNoEntry: false }) === undefined,
  );
  return name === undefined ? search : { ...search, path: [join(repo, name, 'bin'), search.path].join(delimiter) };
}

/**
 * Links from the paths of a repository into the workspace: a package that is installed in editable form in an environment of the repository
 * is imported by its path on this machine, and must be the workspace's.
 */
export function editableLinks(searchPath: string, tree: string): Mount[] {
  const bin = searchPath.split(delimiter).find((dir) => existsSync(join(dirname(dir), 'pyvenv.cfg')));
  if (bin === undefined) return [];
  const environment = dirname(bin);
  const repo = dirname(environment);
  if (!namesPath(environment, repo)) return [];
  return readdirSync(tree)
    .filter((name) => !NAMES.includes(name) && !isCredentialFile(name))
    .map((name) => ({ source: `/workspace/${name}`, target: join(repo, name), mode: 'link' }));
}

/** Whether a file that tells Python where packages are names a path. */
function namesPath(environment: string, path: string): boolean {
  const lib = join(environment, 'lib');
  if (!existsSync(lib)) return false;
  return readdirSync(lib).some((version) => {
    const packages = join(lib, version, 'site-packages');
    if (!existsSync(packages)) return false;
    const files = readdirSync(packages).filter((name) => name.endsWith('.pth') || /^__editable__.*\.py$/.test(name));
    return files.some((name) => readFileSync(join(packages, name), 'utf8').includes(path));
  });
}

import { liesBelow, nameOf, parentOf, pathWithin, stemOf } from '../../path-parts.ts';
import { inOwnTestDir, inTestDir, isSupportName, isTestName } from '../../test-names.ts';
import { inSideDir, isInstalled } from '../packages.ts';
import type { PythonProject } from './project.ts';
import { pythonCandidates } from './resolve.ts';
import { doubtfulRole, productRole, type Role } from '../role.ts';
import { closureOf, type Sources } from '../sources.ts';
import { assertionWord } from '../assertion-words.ts';

/** Files that tools look for by name. */
const TOOL_FILES = new Set(['setup.py', 'conftest.py', 'noxfile.py', 'fabfile.py', 'dodo.py']);

/** Every module of a package outside test directories, single modules that the manifest names, and what these import. */
export async function pythonRoles(sources: Sources, projects: readonly PythonProject[]): Promise<Map<string, Role>> {
  const roles = new Map<string, Role>();
  const first = new Set(
    sources.tree.paths.filter((path) => projects.some((project) => isOwnModule(sources, project, path))),
  );
  const roots = projects.flatMap((project) => project.roots);
  const waiting = new Set(
    sources.tree.paths.filter((path) => path.endsWith('.py') && !first.has(path)).map(moduleStem),
  );
  const reached = await closureOf([...first], async (path) => {
    if (!path.endsWith('.py') || !mentionsOne(sources.text(path), waiting)) return [];
    const imports = await sources.imports(path);
    return imports
      .flatMap((one) => pythonCandidates(path, one, roots))
      .filter(
        (found) => sources.index.files.has(found) && !sources.collected.has(found) && !TOOL_FILES.has(nameOf(found)),
      );
  });
  for (const path of reached) roles.set(path, roleOf(sources, path, reached));
  return roles;
}

const moduleStem = (path: string): string => (nameOf(path) === '__init__.py' ? nameOf(parentOf(path)) : stemOf(path));

function isOwnModule(sources: Sources, { dir, packages, modules }: PythonProject, path: string): boolean {
  if (sources.ecosystem(path) !== 'python' || isInstalled(path) || TOOL_FILES.has(nameOf(path))) return false;
  if (modules.includes(path)) return !sources.collected.has(path) || !isTestName(path);
  const within = pathWithin(path, dir);
  const owner = packages.find((one) => liesBelow(path, one));
  if (within === null || owner === undefined || isTestName(path)) return false;
  return !inOwnTestDir(within) && !inSideDir(path, owner);
}

/** Parsing is slow: a file is parsed only if a line of it can mean a module that is not yet known as product. */
function mentionsOne(text: string, stems: ReadonlySet<string>): boolean {
  return (
    text.includes('import (') ||
    importLines(text).some((line) => (line.match(/\w+/g) ?? []).some((word) => stems.has(word)))
  );
}

function importsWord(text: string, word: string): boolean {
  return importLines(text).some((line) => line.match(/\w+/g)?.includes(word) ?? false);
}

const importLines = (text: string): readonly string[] => text.split('\n').filter((line) => line.includes('import'));

/** A module for tests inside a package (`testing.py`) may be for the package's users, or for its own tests alone. */
function roleOf(sources: Sources, path: string, product: ReadonlySet<string>): Role {
  const word = isSupportName(path) && !inTestDir(path) ? assertionWord('python', sources.text(path)) : null;
  if (word === null) return productRole(true);
  const isUsed = [...product].some((other) => other !== path && importsWord(sources.text(other), stemOf(path)));
  return isUsed ? productRole(true) : doubtfulRole('only_words', `says "${word}"`);
}

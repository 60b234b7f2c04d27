import type { BaseContext } from '../context.ts';
import { parseToml, valueAt } from '../manifest-text.ts';
import { enclosingDirs, nameOf, parentOf } from '../path-parts.ts';
import { PACKAGE_DIRS, PACKAGE_RECORDS, PYTHON_PACKAGE_DIRS, VENDOR_DIRS } from '../table/dependencies.ts';
import { inTestDir } from '../test-names.ts';

/**
 * Whether a new file is part of an installed package, which comes from a package manager and never from a patch. `own`: the record of
 * the tree's own package, as an editable installation leaves it.
 */
export function plantedPackage(path: string, context: BaseContext): 'planted' | 'own' | null {
  for (const dir of [path, ...enclosingDirs(path)]) {
    const name = nameOf(dir);
    if (PACKAGE_RECORDS.test(name)) return isOwnRecord(name, context) ? 'own' : 'planted';
    if (dir !== path && PYTHON_PACKAGE_DIRS.includes(name) && !inTestDir(path)) return 'planted';
    // Packages in a fixture serve the fixture alone: names are looked up from the importing file upwards.
    if (dir !== path && PACKAGE_DIRS.includes(name) && context.governs(parentOf(dir))) return 'planted';
    if (dir !== path && VENDOR_DIRS.includes(name) && loadsVendored(context) && context.governs(parentOf(dir)))
      return 'planted';
  }
  // A link or file in place of the directory itself.
  const isDir = PACKAGE_DIRS.includes(nameOf(path)) || (VENDOR_DIRS.includes(nameOf(path)) && loadsVendored(context));
  return isDir && context.governs(parentOf(path)) ? 'planted' : null;
}

/** In other ecosystems `vendor` is a directory like others. */
function loadsVendored({ uses }: BaseContext): boolean {
  return uses('go') || uses('rust') || uses('other');
}

function isOwnRecord(name: string, { base }: BaseContext): boolean {
  const record = normalized(name.replace(PACKAGE_RECORDS, '').replace(/-\d.*$/, ''));
  const project = parseToml(base.read('pyproject.toml') ?? '');
  const declared = [valueAt(project, ['project', 'name']), valueAt(project, ['tool', 'poetry', 'name'])];
  const written = ['setup.cfg', 'setup.py'].map(
    (file) => /^\s*name\s*=\s*["']?([\w.-]+)/m.exec(base.read(file) ?? '')?.[1],
  );
  return [...declared, ...written].some((one) => typeof one === 'string' && normalized(one) === record);
}

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

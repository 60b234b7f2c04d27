import type { BaseContext } from '../context.ts';
import { parseToml, valueAt } from '../manifest-text.ts';
import { foldersAbove, nameOf, parentOf } from '../path-parts.ts';
import { PACKAGE_FOLDERS, PACKAGE_RECORDS, PYTHON_PACKAGE_FOLDERS, VENDOR_FOLDERS } from '../table/dependencies.ts';
import { inTestFolder } from '../test-names.ts';

/**
 * Whether a new file is part of an installed package, which comes from a package manager and never from a patch. `own`: the record of
 * the tree's own package, as an editable installation leaves it.
 */
export function plantedPackage(path: string, context: BaseContext): 'planted' | 'own' | null {
  for (const folder of [path, ...foldersAbove(path)]) {
    const name = nameOf(folder);
    if (PACKAGE_RECORDS.test(name)) return isOwnRecord(name, context) ? 'own' : 'planted';
    if (folder !== path && PYTHON_PACKAGE_FOLDERS.includes(name) && !inTestFolder(path)) return 'planted';
    // Packages in a fixture serve the fixture alone: names are looked up from the importing file upwards.
    if (folder !== path && PACKAGE_FOLDERS.includes(name) && context.governs(parentOf(folder))) return 'planted';
    if (folder !== path && VENDOR_FOLDERS.includes(name) && loadsVendored(context) && context.governs(parentOf(folder)))
      return 'planted';
  }
  // A link or file in place of the directory itself.
  const isFolder =
    PACKAGE_FOLDERS.includes(nameOf(path)) || (VENDOR_FOLDERS.includes(nameOf(path)) && loadsVendored(context));
  return isFolder && context.governs(parentOf(path)) ? 'planted' : null;
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

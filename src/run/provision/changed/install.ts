import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { packTree } from '../../../task/tree/archive.ts';
import { findSetup, type Lockfile, PACKAGE_LOCK } from '../../../task/lockfiles.ts';
import { projectFiles } from '../../../task/project-files.ts';
import type { Programs } from '../../../confine/tools/caller-programs.ts';
import type { DependencyChanges } from '../../judge/change/dependencies/plan.ts';
import type { DependencyInstall } from '../../judge/change/dependencies/prepare.ts';
import type { Products } from '../products.ts';
import { type Provisioned, type ProvisionEnvironment, provisionTree } from '../provision.ts';
import { SetupFailed } from '../setup.ts';
import { checkNode } from './check-node.ts';
import { settlePython } from './check-python.ts';
import { commandToInstall, pythonCommand, readsSources } from './commands.ts';
import { type InstalledLock, lockOfInstalled } from './installed-lock.ts';
import { distributionsIn, requirementLists, sitePackages } from './python-lists.ts';

/** Installs for any number of changes to one base. */
export function installerFor(site: ProvisionEnvironment, base: Provisioned): NonNullable<DependencyInstall['install']> {
  return async (tree, changes) => {
    const installed = await installChanges(site, base, tree, changes);
    if (installed === null) return null;
    const { products, programs } = installed;
    return { products, programs, readOnly: products.mounts, env: products.env };
  };
}

/**
 * Installs what a change needs otherwise than its base: without scripts, without the caller's variables, from a tree that holds no more than
 * the package manager reads. `tree` has the merged manifests. Null: no package manager is known that could.
 *
 * @throws SetupFailed, if it cannot be installed, or what it installs would take part in running the tests.
 */
async function installChanges(
  site: ProvisionEnvironment,
  base: Provisioned,
  tree: string,
  changes: DependencyChanges,
): Promise<{ readonly products: Products; readonly programs: Programs } | null> {
  const work = join(site.scratch, 'changed');
  mkdirSync(work);
  // What is installed is checked against the base's, so it serves no other base.
  writeFileSync(join(work, 'base.txt'), base.facts?.products_sha256 ?? '');
  const environment = [...(base.products?.dirs ?? [])].find(([, dir]) => existsSync(join(dir, 'pyvenv.cfg')));
  const plan =
    changes.python.length > 0 && environment !== undefined
      ? planPython(work, environment, changes)
      : planByLockfile(work, tree, base.products, changes);
  if (plan === null) return null;
  const archive = join(site.scratch, 'changed.tar');
  const { sha256 } = packTree(plan.dir, archive);
  const own = join(site.scratch, 'changed-products');
  mkdirSync(own, { mode: 0o711 });
  const [origin, ...more] = changes.origins;
  // Settings of the tree, which are the base's, say which packages come from where if there are several.
  const env: Record<string, string> =
    origin !== undefined && more.length === 0 ? { npm_config_registry: `${origin}/`, YARN_REGISTRY: `${origin}/` } : {};
  const without = {
    ...site,
    env,
    files: [],
    scratch: own,
    logs: join(site.logs, 'changed-dependencies'),
    settle: plan.settle,
  };
  const made = await provisionTree(without, { archive, sha256, dir: plan.dir }, plan.command);
  if (made.dirty.length > 0)
    throw new SetupFailed([reason('detail', { text: `installing it changed ${made.dirty.join(', ')}` })]);
  return made.products === null ? null : { products: over(base.products, made.products), programs: made.programs };
}

interface InstallPlan {
  /** Holds what the package manager reads. */
  readonly dir: string;
  readonly command: string;
  /** Given the tree with what was installed; returns why it cannot be used. */
  readonly settle: (tree: string) => readonly string[];
}

function planPython(work: string, [name, dir]: [string, string], changes: DependencyChanges): InstallPlan | null {
  const packages = sitePackages(dir);
  if (packages === null) return null;
  const lists = requirementLists(distributionsIn(packages), changes);
  for (const [list, text] of Object.entries(lists)) writeFileSync(join(work, list), text);
  return { dir: work, command: pythonCommand(name), settle: (tree) => settlePython(dir, join(tree, name)) };
}

function planByLockfile(
  work: string,
  tree: string,
  products: Products | null,
  changes: DependencyChanges,
): InstallPlan | null {
  const files = projectFiles(tree);
  const { lockfile } = findSetup(files);
  const settle = (installed: string): readonly string[] =>
    [...new Set(['node_modules', ...(products?.dirs.keys() ?? [])])]
      .filter((dir) => /(?:^|\/)node_modules$/.test(dir) && existsSync(join(installed, dir)))
      .flatMap((dir) => checkNode(products?.dirs.get(dir) ?? null, join(installed, dir)));
  const copy = ({ alsoRead }: Lockfile): void => {
    for (const path of files.paths.filter((one) => alsoRead.test(one))) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      copyFileSync(join(tree, path), join(work, path));
    }
  };
  const installed =
    lockfile === null || isOfOthers(lockfile)
      ? installedByNpm(products, files.read('package.json') ?? '', changes)
      : null;
  if (installed !== null) {
    copy(PACKAGE_LOCK);
    writeFileSync(join(work, 'package.json'), installed.about);
    writeFileSync(join(work, PACKAGE_LOCK.file), installed.text);
    const command = commandToInstall({ lockfile: PACKAGE_LOCK.file, text: installed.text, isComplete: false });
    const kept = installed.unlisted.filter((one) => !changes.dropped.some((name) => one.startsWith(`${name}@`)));
    return command === null ? null : { dir: work, command: [command, ...kept].join(' '), settle };
  }
  if (lockfile === null) return null;
  const command = commandToInstall({
    lockfile: lockfile.file,
    text: files.read(lockfile.file) ?? '',
    isComplete: changes.lockfiles.has(lockfile.file),
  });
  if (command === null) return null;
  if (readsSources(lockfile.file)) return { dir: tree, command, settle };
  copy(lockfile);
  copyFileSync(join(tree, lockfile.file), join(work, lockfile.file));
  return { dir: work, command, settle };
}

/** Of another package manager of JavaScript than npm. */
const isOfOthers = ({ file, language }: Lockfile): boolean =>
  language === PACKAGE_LOCK.language && !PACKAGE_LOCK.alsoRead.test(file);

/** What npm installed for the base, as its own list has it. Null: npm did not install it. */
function installedByNpm(products: Products | null, about: string, { wanted }: DependencyChanges): InstalledLock | null {
  const modules = products?.dirs.get('node_modules');
  const list = modules === undefined ? null : join(modules, '.package-lock.json');
  return list === null || !existsSync(list) ? null : lockOfInstalled(readFileSync(list, 'utf8'), about, wanted);
}

/** What was installed for the change in the place of what the base has; all else that the base's setup made stays. */
function over(base: Products | null, made: Products): Products {
  if (base === null) return made;
  const replaced = new Set(made.mounts.map(({ target }) => target));
  return {
    mounts: [...base.mounts.filter(({ target }) => !replaced.has(target)), ...made.mounts],
    env: { ...base.env, ...made.env },
    searched: [...new Set([...made.searched, ...base.searched])],
    dirs: new Map([...base.dirs, ...made.dirs]),
    files: base.files,
    archive: base.archive,
    rebuild: base.rebuild,
  };
}

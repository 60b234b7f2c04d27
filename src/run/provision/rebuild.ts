import * as z from 'zod/mini';
import type { Readers } from '../../task/project-files.ts';
import type { SetupPlan } from './plan.ts';

/** Files that setups leave behind and no test depends on. */
const BY_THE_WAY = /(?:^|\/)(?:[^/]+\.egg-info|__pycache__|\.husky|\.pytest_cache)\/|\.(?:log|pyc)$/;
const INSTALLS =
  /^(?:\S*\/)?(?:npm|pnpm|yarn|bun|pip[\d.]*|python[\d.]*|uv|poetry|pipenv|corepack|apt-get|curl|wget|git)(?: (?:ci|install|i|add|sync|enable|clone|-m (?:venv|pip)|pip)(?: .*)?)?$/;
const OWN_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'] as const;

const packageFile = z.object({ scripts: z.optional(z.record(z.string(), z.unknown())) });

/**
 * The part of a setup that makes files from the tree's own sources: it has to be done again once those have changed, without network. Null:
 * the setup made no such files. `made`: paths of what it made beside dependencies.
 */
export function rebuildCommand(
  { command, isByLockfile, lockfile }: SetupPlan,
  files: Pick<Readers, 'read'>,
  made: readonly string[],
): string | null {
  const products = made.filter((path) => !BY_THE_WAY.test(path));
  if (products.length === 0) return null;
  const extension = products.some((path) => path.endsWith('.so')) && files.read('setup.py') !== null;
  const parts = [
    ...(isByLockfile && lockfile?.language === 'JavaScript' ? ownScripts(files) : []),
    ...(isByLockfile ? [] : command.split(/\s*(?:&&|;|\n)\s*/).filter((part) => part !== '' && !INSTALLS.test(part))),
    ...(extension ? ['python3 setup.py build_ext --inplace'] : []),
  ];
  return parts.length === 0 ? null : parts.join(' && ');
}

function ownScripts({ read }: Pick<Readers, 'read'>): string[] {
  const text = read('package.json');
  try {
    const { scripts = {} } = packageFile.parse(JSON.parse(text ?? ''));
    return OWN_SCRIPTS.filter((name) => typeof scripts[name] === 'string').map((name) => `npm run ${name}`);
  } catch {
    return [];
  }
}

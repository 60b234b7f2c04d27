import * as z from 'zod/mini';
import type { Readers } from '../../task/project-files.ts';
import type { SetupPlan } from './plan.ts';

/** Files that setups leave behind and no test depends on. */
const BY_THE_WAY = /(?:^|\/)(?:[^/]+\.egg-info|__pycache__|\.husky|\.pytest_cache)\/|\.(?:log|pyc)$/;
const INSTALLS =
  /^(?:\S*\/)?(?:npm|pnpm|yarn|bun|pip[\d.]*|python[\d.]*|uv|poetry|pipenv|corepack|apt-get|apt|apk|dnf|brew|curl|wget|git|bundle|gem|composer|conan|vcpkg|rustup)(?: (?:ci|install|i|add|sync|update|enable|clone|fetch|config|-m (?:venv|pip)|pip)(?: .*)?)?$|^(?:\S*\/)?(?:cargo fetch|cargo install|go mod|go get|go install|go work|mvn dependency|mvn -\S* dependency|dotnet restore|mix deps|deno cache|deno install)\b.*$/;
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
    ...(isByLockfile ? [] : withoutInstalls(command)),
    ...(extension ? ['python3 setup.py build_ext --inplace'] : []),
  ];
  return parts.length === 0 ? null : parts.join(' && ');
}

/** Anything but single commands in a row. */
const SHELL_SYNTAX = /[`$(){}<>|'"\\]|(?<!&)&(?!&)|\b(?:for|while|until|if|case|do|then|else|function)\b/;
const ANY_INSTALL =
  /\b(?:npm|pnpm|yarn|bun|pip[\d.]*|uv|poetry|pipenv|corepack|apt-get|apt|apk|dnf|brew|curl|wget|git|bundle|gem|composer|cargo|go|mvn|gradle|dotnet|mix|deno)\b/;

/** A setup without its downloads; one that cannot be taken apart is done again as a whole, unless it downloads something. */
function withoutInstalls(command: string): string[] {
  if (SHELL_SYNTAX.test(command)) return ANY_INSTALL.test(command) ? [] : [command];
  const words = command.split(/\s*(&&|;|\n)\s*/);
  const kept = words.filter((part, at) => at % 2 === 0 && part !== '' && !INSTALLS.test(part));
  if (kept.length === 0) return [];
  return [kept.join(words.some((word, at) => at % 2 === 1 && word !== '&&') ? '; ' : ' && ')];
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

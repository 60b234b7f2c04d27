import { isRecord, parseJsonc } from '../../manifest-text.ts';
import { nameOf } from '../../path-parts.ts';
import { decidingCompilerOptions } from './compiler-options.ts';
import { isInside } from './own-source.ts';

/** Which names a new alias must not stand for: those of packages and of Node's own modules. */
const OWN_NAME = /^(?:[@~]\/|[~#$][\w-]*\/|@[a-z\d][\w.-]*\/)/i;

/**
 * Whether two versions of a tsconfig.json differ only in that the second has more `paths`, for names that nothing in the base begins with: no
 * test and no tool of the base can be led elsewhere by them.
 */
export function onlyAddsAliases(
  path: string,
  before: string,
  after: string,
  isNamed: (prefix: string) => boolean,
): boolean {
  if (!/^[jt]sconfig[\w.-]*\.json$/.test(nameOf(path))) return false;
  const [was, is] = [readAliases(before), readAliases(after)];
  if (was === null || is === null || was.rest !== is.rest) return false;
  const added = Object.entries(is.aliases).filter(([name]) => !Object.hasOwn(was.aliases, name));
  return (
    Object.entries(was.aliases).every(([name, to]) => JSON.stringify(is.aliases[name]) === JSON.stringify(to)) &&
    added.length > 0 &&
    added.every(([name, to]) => isOwnAlias(name, to) && !isNamed(name.replace(/\*.*$/, '')))
  );
}

const isOwnAlias = (name: string, to: unknown): boolean =>
  OWN_NAME.test(name) &&
  Array.isArray(to) &&
  to.every((target) => typeof target === 'string' && isInside(target) && !target.includes('node_modules'));

interface Aliases {
  readonly aliases: Readonly<Record<string, unknown>>;
  /** Everything else that decides. */
  readonly rest: string;
}

function readAliases(text: string): Aliases | null {
  const parsed = parseJsonc(text);
  const options = isRecord(parsed) ? (parsed['compilerOptions'] ?? {}) : null;
  if (!isRecord(parsed) || !isRecord(options)) return null;
  const { paths = {}, ...others } = options;
  if (!isRecord(paths)) return null;
  return { aliases: paths, rest: decidingCompilerOptions(JSON.stringify({ ...parsed, compilerOptions: others })) };
}

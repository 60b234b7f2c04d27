import type { Ecosystem } from '../facts.ts';
import { nameOf, parentOf, pathWithin, stemOf } from '../path-parts.ts';
import { inTestDir, isSupportName, isTestName } from '../test-names.ts';
import { inSideDir, isInstalled, packageDirs } from './packages.ts';
import { doubtfulRole, productRole, type Role } from './role.ts';
import type { Sources } from './sources.ts';
import { assertionWord } from './assertion-words.ts';

/** Ecosystems without a rule of their own: manifests, and the directories that product lies in beside them. */
const CONVENTIONS: readonly { readonly manifests: RegExp; readonly dirs: RegExp }[] = [
  { manifests: /^(?:Gemfile|.*\.gemspec)$/, dirs: /^(?:lib|app|exe|bin)\// },
  { manifests: /^composer\.json$/, dirs: /^(?:src|lib|app)\// },
  { manifests: /^mix\.exs$/, dirs: /^(?:lib|web)\// },
  { manifests: /^(?:Makefile\.PL|Build\.PL|dist\.ini|cpanfile)$/, dirs: /^(?:lib|bin|script)\// },
  {
    manifests:
      /^(?:.*\.(?:csproj|fsproj|sln|cabal|nimble|rockspec)|Package\.swift|pubspec\.yaml|dune-project|build\.zig)$/,
    dirs: /^(?:src|lib|app|Sources|bin)\//,
  },
];

/** Product by the customs of ecosystems that have no rule of their own. */
export function conventionalRoles(sources: Sources): Map<string, Role> {
  const roles = new Map<string, Role>();
  for (const { manifests, dirs } of CONVENTIONS) {
    const names = [...new Set(sources.tree.paths.map(nameOf))].filter((name) => manifests.test(name));
    for (const dir of packageDirs(sources, names))
      for (const path of sources.tree.paths) {
        const within = pathWithin(path, dir);
        if (
          within !== null &&
          dirs.test(within) &&
          sources.ecosystem(path) === 'other' &&
          !inTestDir(within) &&
          !isTestName(path)
        )
          roles.set(path, productRole(true));
      }
  }
  return roles;
}

/**
 * Sources that no entry point leads to. In a tree without entry points, a file is product unless its name suggests a test; beside a
 * known product it cannot be decided.
 */
export function fallbackRoles(sources: Sources, known: ReadonlyMap<string, Role>): Map<string, Role> {
  const certain = new Set(
    [...known].filter(([, role]) => role.kind === 'product').map(([path]) => sources.ecosystem(path)),
  );
  const named = new Set([...sources.facts.starts_runner, ...sources.collected]);
  const roles = new Map<string, Role>();
  for (const path of sources.tree.paths) {
    const ecosystem = sources.ecosystem(path);
    if (ecosystem === null || RULED.has(ecosystem) || known.has(path) || named.has(path) || isAside(path)) continue;
    if (certain.size > 0 && (inSideDir(path) || (ecosystem === 'javascript' && certain.has('javascript')))) continue;
    const word = assertionWord(ecosystem, sources.text(path));
    if (word !== null) roles.set(path, doubtfulRole('only_words', `says "${word}"`));
    else if (isSupportName(path)) roles.set(path, doubtfulRole('only_words', 'has the name of one'));
    else if (certain.size === 0 || (parentOf(path) === '' && STARTS_PROGRAM.test(stemOf(path))))
      roles.set(path, productRole(false));
    else roles.set(path, doubtfulRole('not_reached'));
  }
  return certain.size === 0 ? withSomeProduct(sources, roles) : roles;
}

/** If the names of all files that the tests use suggest tests, those words belong to the product. */
function withSomeProduct({ facts }: Sources, roles: ReadonlyMap<string, Role>): Map<string, Role> {
  const isUsed = (path: string): boolean => facts.found_by === 'names' || facts.read.includes(path);
  if ([...roles].some(([path, role]) => role.kind === 'product' && isUsed(path))) return new Map(roles);
  return new Map(
    [...roles].map(([path, role]) => [path, isUsed(path) && !isSupportName(path) ? productRole(false) : role]),
  );
}

/** Modules that start a program, and that no product code imports. */
const STARTS_PROGRAM = /^(?:main|__main__|app|cli|manage|run|server|wsgi|asgi|index|bot)$/;

/** Languages whose rules cover every file: a file they leave out is not product. */
const RULED: ReadonlySet<Ecosystem> = new Set<Ecosystem>(['rust', 'c', 'java', 'go']);

const isAside = (path: string): boolean =>
  isInstalled(path) || isTestName(path) || inTestDir(path) || isToolFile(path) || /(?:^|\/)\.[^/]+\//.test(path);

const isToolFile = (path: string): boolean =>
  /(?:^|\/)(?:setup|conftest|noxfile)\.py$|\.config\.[cm]?[jt]s$|(?:^|\/)(?:gulpfile|Gruntfile)\./.test(path);

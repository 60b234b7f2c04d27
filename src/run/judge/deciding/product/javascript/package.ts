import { isRecord, parseJsonc, stringsIn } from '../../manifest-text.ts';
import { joinPaths } from '../../path-parts.ts';
import type { Sources } from '../sources.ts';

/** What a package.json says about where its product is. */
export interface JavaScriptPackage {
  readonly dir: string;
  readonly name: string | null;
  readonly isPrivate: boolean;
  /** Paths as the manifest has them, relative to the directory; may hold `*`. */
  readonly entries: readonly string[];
  readonly exports: unknown;
  readonly imports: Readonly<Record<string, unknown>>;
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
  /** Prefixes of module names that stand for directories: tsconfig's `paths`. */
  readonly aliases: readonly Alias[];
  readonly baseUrl: string | null;
}

export interface Alias {
  readonly prefix: string;
  readonly suffix: string;
  readonly targets: readonly string[];
}

const ENTRY_FIELDS = [
  'main',
  'module',
  'browser',
  'types',
  'typings',
  'bin',
  'exports',
  'source',
  'unpkg',
  'jsdelivr',
  'umd:main',
  'jsnext:main',
  'react-native',
  'svelte',
  'esnext',
  'es2015',
];
const STARTING_SCRIPTS = ['start', 'dev', 'serve', 'server', 'build', 'bundle'];

export function readJavaScriptPackage(sources: Sources, dir: string): JavaScriptPackage {
  const parsed = parseJsonc(sources.text(joinPaths(dir, 'package.json') ?? ''));
  const manifest = isRecord(parsed) ? parsed : {};
  const scripts = isRecord(manifest['scripts']) ? manifest['scripts'] : {};
  const started = STARTING_SCRIPTS.flatMap((name) => stringsIn(scripts[name])).flatMap((text) => text.split(/[\s=]+/));
  return {
    dir,
    name: typeof manifest['name'] === 'string' ? manifest['name'] : null,
    isPrivate: manifest['private'] === true,
    entries: [
      ...ENTRY_FIELDS.flatMap((field) => stringsIn(manifest[field])).filter((target) => !target.includes(':')),
      ...started.filter((word) => /\.[cm]?[jt]sx?$/.test(word)),
    ],
    exports: manifest['exports'],
    imports: isRecord(manifest['imports']) ? manifest['imports'] : {},
    dependencies: namesIn(manifest, ['dependencies', 'peerDependencies', 'optionalDependencies']),
    devDependencies: namesIn(manifest, ['devDependencies']),
    ...readAliases(sources, dir),
  };
}

function namesIn(manifest: Readonly<Record<string, unknown>>, fields: readonly string[]): ReadonlySet<string> {
  return new Set(
    fields.map((field) => manifest[field]).flatMap((value) => (isRecord(value) ? Object.keys(value) : [])),
  );
}

const COMPILER_SETTINGS = ['tsconfig.json', 'jsconfig.json', 'tsconfig.base.json', 'tsconfig.app.json'];

function readAliases(sources: Sources, dir: string): Pick<JavaScriptPackage, 'aliases' | 'baseUrl'> {
  const places = dir === '' ? [''] : [dir, ''];
  const files = places.flatMap((place) => COMPILER_SETTINGS.map((name) => joinPaths(place, name) ?? name));
  const aliases: Alias[] = [];
  let baseUrl: string | null = null;
  for (const file of files) {
    const parsed = parseJsonc(sources.text(file));
    const options = isRecord(parsed) && isRecord(parsed['compilerOptions']) ? parsed['compilerOptions'] : {};
    const own = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
    const base = typeof options['baseUrl'] === 'string' ? joinPaths(own, options['baseUrl']) : null;
    baseUrl ??= base;
    const paths = isRecord(options['paths']) ? options['paths'] : {};
    for (const [pattern, value] of Object.entries(paths)) {
      const [prefix = '', suffix] = pattern.split('*');
      const targets = stringsIn(value).flatMap((target) => joinPaths(base ?? own, target) ?? []);
      aliases.push({ prefix, suffix: suffix ?? '\0', targets });
    }
  }
  return { aliases, baseUrl };
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DependencyChanges } from '../../judge/change/dependencies/plan.ts';
import { PYTHON_LISTS } from './commands.ts';

/** An installed Python package. */
export interface Distribution {
  readonly name: string;
  readonly version: string;
  /** Its directory of metadata, below site-packages. */
  readonly about: string;
  /** Paths of its files, from site-packages. */
  readonly files: readonly string[];
  /** It was installed from a directory and not from an index. */
  readonly isLocal: boolean;
}

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** Null: no virtual environment. */
export function sitePackages(environment: string): string | null {
  const lib = join(environment, 'lib');
  const version = existsSync(lib) ? readdirSync(lib).find((name) => name.startsWith('python3')) : undefined;
  return version === undefined ? null : join(lib, version, 'site-packages');
}

export function distributionsIn(packages: string): Distribution[] {
  return readdirSync(packages)
    .filter((name) => name.endsWith('.dist-info'))
    .map((about) => {
      const read = (file: string): string | null => {
        const path = join(packages, about, file);
        return existsSync(path) ? readFileSync(path, 'utf8') : null;
      };
      const [, name = '', version = ''] = /^(.+)-([^-]+)\.dist-info$/.exec(about) ?? [];
      const rows = (read('RECORD') ?? '').split('\n').filter((row) => row !== '');
      return {
        name: normalized(name),
        version,
        about,
        files: rows.map((row) => row.replace(/,[^,]*,[^,]*$/, '').replaceAll('"', '')),
        isLocal: /"dir_info"|"url": *"file:/.test(read('direct_url.json') ?? ''),
      };
    });
}

/** Packages that every virtual environment starts with. */
const OF_ENVIRONMENT = new Set(['pip', 'setuptools', 'wheel']);

/** The lists that pip installs from, by their names: what the base has, with what the change needs otherwise. */
export function requirementLists(
  installed: readonly Distribution[],
  { python, pipOptions, isPythonTool }: DependencyChanges,
): Record<string, string> {
  const changed = new Map(python.map(({ name, spec }) => [normalized(name), spec]));
  const kept = installed.filter(({ name, isLocal }) => !isLocal && !OF_ENVIRONMENT.has(name) && !changed.has(name));
  const pins = (packages: readonly Distribution[]): string =>
    packages.map(({ name, version }) => `${name}==${version}\n`).join('');
  const specs = [...changed.values()].flatMap((spec) => (spec === null ? [] : [`${spec}\n`]));
  return {
    [PYTHON_LISTS.wanted]: [
      ...pipOptions.map((option) => `${option}\n`),
      ...kept.map(({ name }) => `${name}\n`),
      ...specs,
    ].join(''),
    [PYTHON_LISTS.frozen]: pins(kept),
    [PYTHON_LISTS.tools]: pins(kept.filter(({ name }) => isPythonTool(name))),
  };
}

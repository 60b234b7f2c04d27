import { join, normalize } from 'node:path/posix';
import * as z from 'zod/mini';
import type { Readers } from './project-files.ts';

const PACKAGE = /(?:^|\/)package\.json$/;
const INSTALLED = /(?:^|\/)node_modules\//;
/** Dependencies on directories and archives of the tree itself. */
const LOCAL = /"(?:(?:file|link|portal):|(?=\.{1,2}\/))([^"]+)"/g;

/** Files of the tree that its packages depend on by path: package managers copy or link them. */
export function localPackages({ paths, read }: Readers): string[] {
  const targets = paths
    .filter((path) => PACKAGE.test(path) && !INSTALLED.test(path))
    .flatMap((path) =>
      [...dependenciesIn(read(path) ?? '').matchAll(LOCAL)].map(([, target = '']) =>
        normalize(join(path, '..', target)),
      ),
    )
    .map((target) => target.replace(/\/$/, ''))
    .filter((target) => target !== '.' && !target.startsWith('..') && !target.startsWith('/'));
  return paths.filter((path) => targets.some((target) => path === target || path.startsWith(`${target}/`)));
}

/** The lists of dependencies in a package.json: other keys name files too, which no package manager reads. */
function dependenciesIn(text: string): string {
  try {
    const lists = Object.entries(packageFile.parse(JSON.parse(text))).filter(([key]) =>
      /dependencies$|^(?:overrides|resolutions|pnpm)$/i.test(key),
    );
    return JSON.stringify(Object.fromEntries(lists));
  } catch {
    return text;
  }
}

const packageFile = z.record(z.string(), z.unknown());

const FURTHER_LIST = /^\s*(?:-r|-c|--requirement|--constraint)[=\s]*(\S+)/gm;

/** A list of requirements with every other list that it names. */
export function requirementFiles(first: string, { read }: Pick<Readers, 'read'>): string[] {
  const found = new Set<string>();
  const waiting = [first];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = found.has(path) ? null : read(path);
    if (text === null) continue;
    found.add(path);
    for (const [, other = ''] of text.matchAll(FURTHER_LIST)) waiting.push(normalize(join(path, '..', other)));
  }
  return [...found];
}

/** Calls of package managers that read nothing of the tree but what `MANAGER_FILES` matches. */
const INSTALLERS = [
  /^(?:npm|pnpm|yarn|bun)(?: (?:ci|install|i))?(?: --?[\w-]+(?:=\S+)?)*$/,
  /^python[\d.]* -m venv [\w./-]+$/,
  /^(?:[\w./-]*\/)?(?:pip[\d.]*|python[\d.]* -m pip) install(?: --?[\w-]+(?:=\S+)?| [\w.[\],<>=!~-]+| (?:-r|-c) [\w./-]+)*$/,
  /^uv sync(?: --?[\w-]+(?:=\S+)?)*$/,
  /^(?:cargo fetch|go mod download)(?: --?[\w-]+)*$/,
];
const MANAGER_FILES =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|\.npmrc|pnpm-(?:lock|workspace)\.yaml|\.pnpmfile\.c?js|yarn\.lock|\.yarnrc(?:\.yml)?|bun\.lockb?|pyproject\.toml|setup\.(?:py|cfg)|uv\.(?:lock|toml)|pip\.conf|[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in)|requirements\/[^/]+|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work))$|(?:^|\/)\.yarn\/|(?:^|\/)patches\//;

/** The files that a command reads which calls nothing but package managers; null: it may read any. */
export function filesOfInstallers(command: string, files: Readers): string[] | null {
  const calls = command.split(/\s*(?:&&|;|\n)\s*/).filter((call) => call !== '');
  if (calls.length === 0 || !calls.every((call) => INSTALLERS.some((form) => form.test(call.trim())))) return null;
  // A directory of the tree is built, by code of its own.
  if (calls.some((call) => /(?:^| )(?:-e|--editable|\.{1,2}(?:\/|\[|$|\s))/.test(call))) return null;
  const named = calls.flatMap((call) => [...call.matchAll(/ -[rc] (\S+)/g)].map(([, path = '']) => normalize(path)));
  return [
    ...new Set([
      ...files.paths.filter((path) => MANAGER_FILES.test(path) && !INSTALLED.test(path)),
      ...named.flatMap((path) => requirementFiles(path, files)),
      ...localPackages(files),
    ]),
  ];
}

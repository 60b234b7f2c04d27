import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  scripts: z.optional(z.record(z.string(), z.unknown())),
});

interface NodePackage {
  readonly id: string;
  readonly name: string;
  readonly needsScript: boolean;
}

/** Why a node_modules that was installed for a change cannot be used; empty: it can. `before` is that of the base, if it has one. */
export function checkNode(before: string | null, after: string): readonly string[] {
  const known = new Set(before === null ? [] : packagesBelow(before).map(({ id }) => id));
  const needy = packagesBelow(after).filter(({ id, needsScript }) => needsScript && !known.has(id));
  return [
    ...new Set(needy.map(({ name }) => `${name} needs its install script, which is not run for a change`)),
    ...(before === null ? [] : replacedPrograms(join(before, '.bin'), join(after, '.bin'))),
  ];
}

/** Links are not followed: what they lead to is found at its own place. */
function packagesBelow(modules: string): NodePackage[] {
  const found: NodePackage[] = [];
  const visit = (dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const path = join(dir, entry.name);
      const own = packageIn(path);
      if (own !== null) found.push(own);
      if (own === null) visit(path);
      else if (existsSync(join(path, 'node_modules'))) visit(join(path, 'node_modules'));
    }
  };
  if (existsSync(modules)) visit(modules);
  return found;
}

function packageIn(dir: string): NodePackage | null {
  const file = join(dir, 'package.json');
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    const { name, version, scripts = {} } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
    const runs = ['preinstall', 'install', 'postinstall'].some((script) => scripts[script] !== undefined);
    return { id: `${name}@${version}`, name, needsScript: runs || existsSync(join(dir, 'binding.gyp')) };
  } catch {
    return null;
  }
}

/** Programs that the base's tests may start by name must stay the base's. */
function replacedPrograms(before: string, after: string): string[] {
  if (!existsSync(before) || !existsSync(after)) return [];
  return readdirSync(before)
    .filter(
      (name) => targetOf(join(after, name)) !== null && targetOf(join(before, name)) !== targetOf(join(after, name)),
    )
    .map((name) => `a package of the change replaces the program ${name}`);
}

/** The package that a program belongs to. pnpm writes scripts where others make links. */
function targetOf(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const text = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:node_modules|^\.\.)\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1] ?? text;
}

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { isWithin } from '../../kernel/path-text.ts';

/** The Node package that contains a program: the scripts of npm and others only load the rest of their package. */
export function nodePackageOf(script: string): string | null {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(script)?.[1] ?? null;
}

/** The packages that a program is made of. */
export interface NodePackages {
  /** Directories without symbolic links: the program's own package first, then those outside of it that it depends on. */
  readonly roots: readonly string[];
  /** Symbolic links through which Node finds them. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
}

/**
 * Finds dependencies as Node does. npm's global packages hold theirs; those of Bun, pnpm, Yarn or a project lie beside each other, and the
 * program itself is often in a package for the platform. Null: the script is in no package.
 */
export function nodePackagesOf(script: string): NodePackages | null {
  const own = nodePackageOf(script);
  if (own === null) return null;
  const seen = new Set([own]);
  const links = new Map<string, string>();
  for (const dir of seen)
    for (const name of dependenciesIn(dir)) {
      const found = locate(name, dir);
      if (found === null) continue;
      const real = realpathSync(found);
      if (real !== found) links.set(found, real);
      seen.add(real);
    }
  const outside = [...seen].filter((dir) => !isWithin(dir, own)).toSorted();
  const widest = outside.filter((dir) => !outside.some((other) => other !== dir && isWithin(dir, other)));
  return { roots: [own, ...widest], links: [...links].map(([path, to]) => ({ path, to })) };
}

const names = z.optional(z.record(z.string(), z.unknown()));
const manifest = z.object({ dependencies: names, optionalDependencies: names, peerDependencies: names });

function dependenciesIn(dir: string): readonly string[] {
  try {
    const read = manifest.parse(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')));
    const all = { ...read.dependencies, ...read.optionalDependencies, ...read.peerDependencies };
    return Object.keys(all).filter((name) => /^(?:@[^/]+\/)?[^/]+$/.test(name) && !/(?:^|\/)\.\.?$/.test(name));
  } catch {
    return []; // its own code will say what it misses
  }
}

/** In the nearest `node_modules` upwards that has it. */
function locate(name: string, from: string): string | null {
  for (let dir = from; dir !== dirname(dir); dir = dirname(dir)) {
    const found = dir.endsWith('/node_modules') ? join(dir, name) : join(dir, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return null;
}

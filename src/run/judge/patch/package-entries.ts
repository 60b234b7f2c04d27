import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Entries = Readonly<Record<string, unknown>>;

const FILE = 'package.json';
/** Keys by which a test imports a file without a path: `#check`, or `slug/check` in the package slug. */
const MAPS = ['imports', 'exports'] as const;

/**
 * Restores entries of package.json that led into the directory of sealed tests, so that such names still lead to the sealed tests.
 * Everything else in the patched package.json stays. `baseDir` has the one before the patch.
 */
export function restoreTestEntries(workspace: string, baseDir: string): void {
  const base = readPackage(baseDir);
  const patched = readPackage(workspace);
  if (base === null || patched === null) return;
  const merged = withTestEntries(base, patched);
  if (merged === patched) return;
  const file = join(workspace, FILE);
  // Never through a link.
  rmSync(file);
  writeFileSync(file, JSON.stringify(merged), { mode: 0o644 });
}

/** Pure. Returns `patched` itself if there is nothing to restore. */
export function withTestEntries(base: Entries, patched: Entries): Entries {
  const maps = MAPS.filter((map) => Object.values(entriesOf(base[map])).some(leadsToTests));
  if (maps.length === 0) return patched;
  const restored = maps.map((map) => [map, mergeEntries(entriesOf(base[map]), entriesOf(patched[map]))] as const);
  const name = maps.includes('exports') ? { name: base['name'] } : {};
  return { ...patched, ...Object.fromEntries(restored), ...name };
}

function mergeEntries(base: Entries, patched: Entries): Entries {
  const own = Object.entries(base).filter(([, target]) => leadsToTests(target));
  const isTaken = (key: string): boolean => own.some(([pattern]) => covers(pattern, key));
  const others = Object.entries(patched).filter(([key]) => Object.hasOwn(base, key) || !isTaken(key));
  return { ...Object.fromEntries(others), ...Object.fromEntries(own) };
}

/** `#check/*` stands for `#check/words`; a more exact key would be taken before it. */
function covers(pattern: string, key: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? key === pattern : key.startsWith(start) && key.endsWith(end);
}

/** A target is a path, or a choice of paths by conditions. */
function leadsToTests(target: unknown): boolean {
  if (typeof target === 'string') return /^\.\/tests(?:\/|$)/.test(target);
  return typeof target === 'object' && target !== null && Object.values(target).some(leadsToTests);
}

function entriesOf(map: unknown): Entries {
  return isRecord(map) ? map : {};
}

function isRecord(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readPackage(dir: string): Entries | null {
  const file = join(dir, FILE);
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(content) ? content : null;
  } catch {
    return null;
  }
}

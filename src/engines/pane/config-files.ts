import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The first group of the pattern in the name of the newest file below a directory; null: no file of that age has such a name. */
export function newestNamed(dir: string, pattern: RegExp, since: Date): string | null {
  let newest: { readonly name: string; readonly at: number } | null = null;
  for (const entry of entriesBelow(dir)) {
    const [, name] = pattern.exec(entry) ?? [];
    if (name === undefined) continue;
    const at = statSync(join(dir, entry), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (at >= since.getTime() && (newest === null || at > newest.at)) newest = { name, at };
  }
  return newest?.name ?? null;
}

function entriesBelow(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

/** Null: there is no plain file. The agent owns the directory, so it may be anything. */
export function readIfThere(path: string): string | null {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}

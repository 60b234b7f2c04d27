import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../../../kernel/digest.ts';
import type { ProductMap, Role } from '../deciding/product/role.ts';
import { keepIfPossible, noteRecordUse } from './store.ts';

/** Caches which files of a base are product. This follows from the base and its record, but computing it means reading every source. */
export interface ProductStore {
  /** Null: not cached, or damaged. */
  find(): ProductMap | null;
  keep(product: ProductMap): void;
}

/** Roles are few, and many paths have the same. */
interface Written {
  readonly roles: readonly Role[];
  readonly paths: readonly (readonly [path: string, role: number])[];
  readonly awaited: readonly (readonly [string, string])[];
}

/** The digest in the file name of the built program. Null: not built, so the code may have changed. */
const programDigest = (): string | null => /-([0-9a-f]{12})\.js$/.exec(basename(import.meta.url))?.[1] ?? null;

/** `recordKey`: covers everything that the record depends on. Null: nothing can be cached. */
export function openProductStore(cacheDir: string | null, recordKey: string): ProductStore | null {
  const program = programDigest();
  if (cacheDir === null || program === null) return null;
  const file = join(cacheDir, 'base', `${recordKey}-${program}.json`);
  return {
    find() {
      try {
        const text = readFileSync(file, 'utf8');
        const end = text.indexOf('\n');
        if (sha256(text.slice(end + 1)) !== text.slice(0, end)) return null;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it was written, by the digest
        const written = JSON.parse(text.slice(end + 1)) as Written;
        noteRecordUse(file);
        return read(written);
      } catch {
        return null;
      }
    },
    keep(product) {
      const text = JSON.stringify(write(product));
      keepIfPossible(file, `${sha256(text)}\n${text}`);
    },
  };
}

function write({ roles, awaited }: ProductMap): Written {
  const kinds = new Map<string, number>();
  const paths = Array.from(roles, ([path, role]): [string, number] => {
    const text = JSON.stringify(role);
    const at = kinds.get(text) ?? kinds.size;
    kinds.set(text, at);
    return [path, at];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written a line above
  return { roles: Array.from(kinds.keys(), (text) => JSON.parse(text) as Role), paths, awaited: [...awaited] };
}

function read({ roles, paths, awaited }: Written): ProductMap {
  const all = new Map<string, Role>();
  for (const [path, at] of paths) {
    const role = roles[at];
    if (role !== undefined) all.set(path, role);
  }
  return { roles: all, awaited: new Map(awaited) };
}

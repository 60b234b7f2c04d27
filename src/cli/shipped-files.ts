import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../kernel/package-root.ts';

/** A file of the caller's, else the one of that name that ships with Seatrial in `examples/<kind>`. */
export function shippedOrOwn(kind: 'admissions' | 'models', file: string): string {
  const shipped = join(packageRoot(), 'examples', kind, file);
  return !existsSync(file) && !file.includes('/') && existsSync(shipped) ? shipped : file;
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/** Seatrial's own root directory (a clone, a global install or below node_modules), which holds its tasks and drivers. */
export function packageRoot(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function search(start: string): string {
  for (let dir = start; ; dir = dirname(dir)) {
    const file = join(dir, 'package.json');
    if (existsSync(file) && readFileSync(file, 'utf8').includes('"name": "seatrial"')) return dir;
    if (dir === dirname(dir)) throw new Error(`no seatrial package above ${start}`);
  }
}

/** Checks that no directory of src/ has too many product files side by side. Lists those that do and exits 1. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_FILES = 16;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const counts = new Map();
for (const path of readdirSync(join(ROOT, 'src'), { recursive: true })) {
  if (!path.endsWith('.ts') || /\.(test|fixture)\.ts$/.test(path)) continue;
  const dir = join('src', dirname(path));
  counts.set(dir, (counts.get(dir) ?? 0) + 1);
}
const crowded = [...counts].filter(([, count]) => count > MAX_FILES);
for (const [dir, count] of crowded)
  console.log(`${dir} has ${count} files side by side; group them into directories of at most ${MAX_FILES}`);
process.exitCode = crowded.length === 0 && counts.size > 0 ? 0 : 1;

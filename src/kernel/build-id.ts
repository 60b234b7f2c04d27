import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names this build and the node that runs it; the build puts a digest of all code into the name of its file. Null: run from source. */
export function buildId(): string | null {
  const name = basename(fileURLToPath(import.meta.url));
  return /^app-[0-9a-f]{12}\.js$/.test(name) ? `${name} ${process.version}` : null;
}

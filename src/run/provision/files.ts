import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { SetupFailed } from './setup.ts';

/** A file of the caller's home that the setup, and nothing else, is given. */
export interface ProvisionFile {
  /** As the settings name it. */
  readonly name: string;
  /** Path below the home directory. */
  readonly path: string;
  /** Null: it is not there, or cannot be read. */
  readonly content: Buffer | null;
}

/** Cargo reads its settings from the directory of its cache, which is not in the home of a setup. */
const CARGO = '.cargo/';

/** Lays the files where their programs look for them. Both directories are the setup's own; the home is removed after it, credentials in the caches too. */
export function layProvisionFiles(files: readonly ProvisionFile[], home: string, caches: string): void {
  const missing = files.filter(({ content }) => content === null);
  if (missing.length > 0)
    throw new SetupFailed(missing.map(({ name }) => reason('provision_file_missing', { path: name })));
  for (const { path, content } of files) {
    const place = path.startsWith(CARGO) ? join(caches, 'cargo', path.slice(CARGO.length)) : join(home, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content ?? '', { mode: 0o600 });
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import { sha256Hex } from '../../evidence/schema/parts.ts';
import { canonicalJson } from '../../kernel/canonical.ts';
import { statFingerprint } from '../../evidence/storage/stat-fingerprint.ts';
import { sha256 } from '../../kernel/digest.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { type IsSigner, readSignedManifest, writeSignedManifest } from '../cache/signed-manifest.ts';

/** Layout of a cache entry: dependency directories at their paths, caches, and an archive of all other files. */
export const ENTRY = { tree: 'tree', caches: 'provision', files: 'files.tar', about: 'entry.json' } as const;

const about = z.strictObject({
  version: z.literal(1),
  key: sha256Hex,
  products_sha256: sha256Hex,
  /** Over the `lstat` of every file, which any change alters. */
  marks_sha256: sha256Hex,
  folders: z.array(z.string()),
  /** Paths in the archive, as Latin-1: one character per byte. */
  files: z.array(z.string()),
});
export type EntryManifest = z.infer<typeof about>;

const PURPOSE = 'seatrial provision entry';

export function writeEntryManifest(dir: string, content: EntryManifest, key: HarnessKey): void {
  writeSignedManifest(join(dir, ENTRY.about), PURPOSE, content, key);
}

/** Null if there is no entry, or its signature is not accepted. */
export function readEntryManifest(dir: string, isSigner: IsSigner): EntryManifest | null {
  return readSignedManifest(join(dir, ENTRY.about), PURPOSE, about, isSigner);
}

/** Digest of every name and content. Throws if the setup left anything but files, directories and links. */
export function digestProducts(dir: string): string {
  const rows = [ENTRY.tree, ENTRY.caches].map((part) => {
    if (!existsSync(join(dir, part))) return [];
    const { entries, faults } = walkTree(join(dir, part), { installed: true });
    const [fault] = faults;
    if (fault !== undefined) throw new Refused(reason('setup_output_unusable', { why: fault.reason.text }));
    return [...entries].map(([path, entry]) => {
      if (entry.kind === 'file') return [path, entry.sha256, entry.executable];
      return entry.kind === 'link' ? [path, entry.target.toString('latin1')] : [path];
    });
  });
  const archive = join(dir, ENTRY.files);
  return sha256(canonicalJson([...rows, existsSync(archive) ? digestFile(archive).sha256 : null]));
}

/** Changes whenever anything in an entry does. */
export function entryFingerprint(dir: string): string {
  return statFingerprint(dir, [ENTRY.tree, ENTRY.caches, ENTRY.files]);
}

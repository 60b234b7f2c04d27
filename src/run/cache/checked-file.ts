import { lstatSync } from 'node:fs';
import * as z from 'zod/mini';
import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import { sha256Hex } from '../../evidence/schema/parts.ts';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import { readSignedManifest, signedBy, writeSignedManifest } from './signed-manifest.ts';

const PURPOSE = 'seatrial checked file';
const about = z.strictObject({ path: z.string(), sha256: sha256Hex, mark: z.string() });

/**
 * Whether a large file has this digest. It is read only if it is not as it was when that was found last, by its change time, which nothing can
 * set; `note` is where that is written down.
 */
export function hasDigest(path: string, sha256: string, note: string, key: HarnessKey): boolean {
  const mark = markOf(path);
  if (mark === null) return false;
  const known = readSignedManifest(note, PURPOSE, about, signedBy(key));
  if (known !== null && known.path === path && known.sha256 === sha256 && known.mark === mark) return true;
  if (digestFile(path).sha256 !== sha256 || markOf(path) !== mark) return false;
  try {
    writeSignedManifest(note, PURPOSE, { path, sha256, mark }, key);
  } catch {
    // Then it is read again the next time.
  }
  return true;
}

/** Null: it is no file. */
function markOf(path: string): string | null {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() === true ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ') : null;
}

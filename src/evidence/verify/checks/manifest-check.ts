import { isOutsideManifest } from '../../bundle/manifest.ts';
import type { OpenedBundle } from '../opened.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

/** Every file is listed and matches its entry; names each one that does not. */
export function checkManifest({ files, faults, manifest }: OpenedBundle): VerifyCheck {
  const found = faults.map(({ path, text }) => `${path} ${text}`);
  if (!manifest.ok) return verifyCheck('manifest', [...found, `manifest.json ${manifest.fault}`], '');
  const listed = new Set<string>();
  let before = '';
  for (const entry of manifest.value.files) {
    if (entry.path <= before) found.push(`manifest.json lists ${entry.path} out of order`);
    before = entry.path;
    listed.add(entry.path);
    const file = files.get(entry.path);
    if (file === undefined) found.push(`${entry.path} is missing`);
    else if (file.sha256 !== entry.sha256 || file.bytes !== entry.bytes) found.push(`${entry.path} was changed`);
  }
  for (const path of files.keys()) {
    if (!listed.has(path) && !isOutsideManifest(path)) found.push(`${path} is not in the manifest`);
  }
  return verifyCheck(
    'manifest',
    found,
    `every file matches its size and SHA-256 in the manifest (files: ${listed.size})`,
  );
}

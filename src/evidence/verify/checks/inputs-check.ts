import { join } from 'node:path';
import { systemCode } from '../../../kernel/errors.ts';
import { digestFile } from '../../storage/file-tree.ts';
import { CONTRACT_FILE } from '../../log/required-events.ts';
import { neededArchives, storeBeside } from '../../bundle/store.ts';
import { contentOf, type OpenedBundle } from '../opened.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

/**
 * The archives that the contract names match those in the bundle or store. A missing archive only prevents a re-run.
 */
export function checkInputs(dir: string, { files }: OpenedBundle): readonly VerifyCheck[] {
  const needed = neededArchives(contentOf(files, CONTRACT_FILE));
  if (needed.length === 0) return [];
  const found: string[] = [];
  const absent: string[] = [];
  for (const { path, sha256, bytes } of needed) {
    const inside = files.get(path);
    const facts = inside ?? storedFacts(join(storeBeside(dir), sha256));
    if (facts === null) absent.push(path);
    else if (facts === 'unreadable') found.push(`store/${sha256} (${path}) cannot be read`);
    else if (facts.sha256 !== sha256 || facts.bytes !== bytes) {
      found.push(`${inside === undefined ? `store/${sha256}` : path} is not the archive named in the contract`);
    }
  }
  const holds =
    absent.length === 0
      ? `the archives match the contract (${needed.map(({ path }) => path).join(', ')})`
      : `missing, so the run cannot be judged again: ${absent.join(', ')}`;
  return [verifyCheck('inputs', found, holds)];
}

function storedFacts(path: string): { readonly sha256: string; readonly bytes: number } | 'unreadable' | null {
  try {
    return digestFile(path);
  } catch (error) {
    return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR' ? null : 'unreadable';
  }
}

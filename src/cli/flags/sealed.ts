import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { walkTree } from '../../task/tree/walk.ts';

/** The directory of `--sealed`, checked: it must hold files, and no links that lead out of it. */
export function sealedDirOf(given: string): string {
  const dir = resolve(given);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SeatrialError('usage', `--sealed: ${dir} is not a directory`);
  const { entries, faults } = walkTree(dir, { skipTopGit: true, seenAs: '/workspace' });
  if (faults.length > 0) throw new SeatrialError('usage', `--sealed: ${dir}: ${faults[0]?.reason.text ?? ''}`);
  if (![...entries.values()].some(({ kind }) => kind === 'file'))
    throw new SeatrialError(
      'usage',
      `--sealed: ${dir} holds no file; lay your tests out there as in the repository, such as tests/test_new.py`,
    );
  return dir;
}

/** Tests that are part of the copied tree would be shown to the engine. */
export function refuseVisibleTests(sealedDir: string, repo: string, filesDir: string): void {
  const path = relative(repo, sealedDir);
  if (path === '' || (!path.startsWith('..') && existsSync(join(filesDir, path))))
    throw new SeatrialError(
      'usage',
      `--sealed: ${sealedDir} is part of the repository, so the engine would see it; keep it elsewhere`,
    );
}

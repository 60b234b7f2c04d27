import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch } from '../../confine/identity.ts';
import { openConfinement } from '../../confine/open.ts';
import { judge } from './judge.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';

/** For tests: a judge on copies of a tree and its tests, with a confinement and scratch that are gone afterwards. */
export async function judgeCopies(
  folders: { readonly tree: string; readonly tests: string | null },
  terms: Partial<JudgeRequest> & Pick<JudgeRequest, 'testCommand' | 'isolation'>,
  kind: 'bubblewrap' | 'none' = 'bubblewrap',
): Promise<JudgeResult> {
  const scratch = makeScratch();
  try {
    const confinement = await openConfinement({ kind, scratch });
    const workspace = join(scratch, 'tree');
    const sealedTests = folders.tests === null ? null : join(scratch, 'sealed');
    cpSync(folders.tree, workspace, { recursive: true });
    if (folders.tests !== null && sealedTests !== null) cpSync(folders.tests, sealedTests, { recursive: true });
    const own = join(scratch, 'judge');
    mkdirSync(own, { mode: 0o711 });
    return await judge({
      workspace,
      sealedTests,
      expectedTests: null,
      timeoutMs: 60_000,
      nonce: '5eed',
      scratch: own,
      confinement,
      ...terms,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

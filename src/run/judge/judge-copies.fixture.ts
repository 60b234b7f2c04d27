import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { makeScratch } from '../../confine/scratch.ts';
import { openConfinement } from '../../confine/open.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import { judge } from './judge.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';

/** What was found out about the machine's programs, shared by the tests of one file. */
const cacheDir = mkdtempSync(join(tmpdir(), 'judge-tools-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

/** A directory to copy, or the texts of its files. */
export type Content = string | Readonly<Record<string, string>>;

export interface Dirs {
  readonly tree: Content;
  readonly tests: Content | null;
  /** The tree before the patch, where that is to be known. What `tree` has not is then the base's. */
  readonly base?: Content;
}

/** For tests: a judge on copies of a tree and its tests, with a confinement and scratch that are gone afterwards. */
export async function judgeCopies(
  dirs: Dirs,
  terms: Partial<JudgeRequest> & Pick<JudgeRequest, 'testCommand' | 'isolation'>,
  kind: 'bubblewrap' | 'none' = 'bubblewrap',
): Promise<JudgeResult> {
  const scratch = makeScratch();
  try {
    const confinement = await openConfinement({ kind, scratch });
    const workspace = join(scratch, 'tree');
    const sealedTests = dirs.tests === null ? null : join(scratch, 'sealed');
    if (dirs.base !== undefined) lay(dirs.base, workspace);
    lay(dirs.tree, workspace);
    if (dirs.tests !== null && sealedTests !== null) lay(dirs.tests, sealedTests);
    const own = join(scratch, 'judge');
    mkdirSync(own, { mode: 0o711 });
    const before = dirs.base === undefined ? {} : factsAbout(dirs.base, join(scratch, 'base'), workspace);
    return await judge({
      workspace,
      sealedTests,
      expectedTests: null,
      timeoutMs: 60_000,
      nonce: '5eed',
      scratch: own,
      confinement,
      mask: new Masker(new SecretPatterns([])),
      tools: { path: process.env['PATH'] ?? '', cacheDir },
      ...before,
      ...terms,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function factsAbout(base: Content, scriptsIn: string, workspace: string): Pick<JudgeRequest, 'scriptsIn' | 'patch'> {
  lay(base, scriptsIn);
  const tree = walkTree(scriptsIn);
  return { scriptsIn, patch: { base: tree, changes: compareTrees(tree, walkTree(workspace)) } };
}

function lay(content: Content, dir: string): void {
  if (typeof content === 'string') {
    cpSync(content, dir, { recursive: true });
    return;
  }
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(content)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }
}

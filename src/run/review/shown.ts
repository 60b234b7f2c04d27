import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import { GitFault } from '../../task/git/call.ts';
import type { Change } from '../../task/tree/compare.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { writeReadableDiff } from '../patch/write.ts';

export interface ReviewedChange {
  readonly baseDir: string;
  /** What a walk of it found. */
  readonly base: Tree;
  /** The base with the change in it. */
  readonly patchedDir: string;
  /** Between the two. */
  readonly changes: readonly Change[];
}

/**
 * Writes what every reviewer reads: contract.json, instruction.md and patch.diff, and nothing that the implementer said. Returns null,
 * or why the change cannot be shown as a whole.
 */
export async function showChange(
  contract: Contract,
  change: ReviewedChange,
  dir: string,
  gitDir: string,
): Promise<string | null> {
  mkdirSync(dir, { recursive: true });
  const unshown = await writeDiff(change, gitDir, join(dir, 'patch.diff'));
  if (unshown !== null) return unshown;
  // Earlier attempts are the implementer's history, and no terms of the change.
  const { expected_tests: _hidden, review: _command, review_engine: _engine, attempt: _attempt, ...terms } = contract;
  writeFileSync(join(dir, 'contract.json'), prettyJson(terms));
  writeFileSync(join(dir, 'instruction.md'), contract.instruction);
  return null;
}

async function writeDiff(
  { baseDir, patchedDir, changes }: ReviewedChange,
  gitDir: string,
  file: string,
): Promise<string | null> {
  try {
    await writeReadableDiff(changes, { ownGit: gitDir, baseDir, frozenDir: patchedDir }, file);
    return null;
  } catch (error) {
    if (error instanceof GitFault || error instanceof RangeError)
      return `The reviewer was not started, because the change cannot be shown to it: ${error.message}`;
    throw error;
  }
}

import type { Contract } from '../task/schema.ts';
import { walkTree } from '../task/tree.ts';
import { compareTrees, disallowedChanges } from './changes.ts';
import { withoutLeavings } from './leavings.ts';
import { readCommits } from './repository.ts';
import type { Ground, Run } from './run.ts';
import type { Start } from './steps/prepare.ts';

/** Where an engine works, on what. */
export interface Place {
  readonly contract: Contract;
  readonly ground: Ground;
  readonly start: Start;
}

/** What must be there before a working engine is ended as done. Nothing of it is the engine's word. */
export interface CompletionFacts {
  readonly baseCommit: string | null;
  readonly head: string | null;
  /** What the claimed name is in the agent's repository. */
  readonly claimed: string | null;
  readonly changes: number;
  readonly disallowed: number;
}

/** HEAD has moved, it is the commit that was claimed, and the work tree holds a change that is allowed. */
export function isCommittedProof({ baseCommit, head, claimed, changes, disallowed }: CompletionFacts): boolean {
  return (
    baseCommit !== null && head !== null && head !== baseCommit && claimed === head && changes > 0 && disallowed === 0
  );
}

/** The commit that a workspace starts from, as its repository has it. */
export async function headOf(run: Run, ground: Ground): Promise<string | null> {
  return (await readCommits(ground, run.limits, ['HEAD'])).get('HEAD')?.id ?? null;
}

/** Looks while the engine still works: what is seen here ends it, and is judged anew from the frozen tree. */
export async function gatherCompletion(
  run: Run,
  { contract, ground, start }: Place,
  baseCommit: string | null,
  claim: string,
): Promise<CompletionFacts> {
  const seen = await readCommits(ground, run.limits, ['HEAD', claim]);
  const found = walkTree(ground.workspace.source, { skipTopGit: true, maxBytes: run.limits.disk_bytes });
  const changes = compareTrees(
    start.beforeEngine,
    withoutLeavings(found, start.beforeEngine, run.order.engine.leavings),
  );
  return {
    baseCommit,
    head: seen.get('HEAD')?.id ?? null,
    claimed: seen.get(claim)?.id ?? null,
    changes: changes.length,
    disallowed: disallowedChanges(changes, contract).length,
  };
}

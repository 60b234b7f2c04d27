import type { Contract } from '../../task/contract.ts';
import { disallowedChanges } from '../patch/changes.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import { snapshotWorkspace, workIn } from './workspace/snapshot-workspace.ts';
import { isCommitId, readCommits } from '../patch/commits.ts';
import type { RunSandbox, Run } from '../steps/state.ts';
import type { Copies } from '../trees/copies.ts';
import type { WorkspaceBaseline } from '../steps/workspace.ts';

/** Where an engine works, on what. */
export interface Place {
  readonly contract: Contract;
  readonly sandbox: RunSandbox;
  readonly start: WorkspaceBaseline;
  readonly copies: Copies;
}

/** What must be there before a working engine is ended as done. Nothing of it is the engine's word. */
export interface CompletionFacts {
  readonly baseCommit: string | null;
  readonly head: string | null;
  readonly claim: string;
  /** What that is in the agent's repository. */
  readonly claimed: string | null;
  /** Whether that commit holds other files than the base. */
  readonly holdsChange: boolean;
  readonly changes: number;
  readonly disallowed: number;
}

/** HEAD has moved, it is the commit that was claimed and holds a change, and all that has changed in the work tree is allowed. */
export function isCommittedProof(facts: CompletionFacts): boolean {
  const { baseCommit, head, claim, claimed, holdsChange, changes, disallowed } = facts;
  const moved = baseCommit !== null && head !== null && head !== baseCommit;
  return moved && isCommitId(claim) && claimed === head && holdsChange && changes > 0 && disallowed === 0;
}

/** The commit that a workspace starts from, as its repository has it. */
export async function headOf(run: Run, sandbox: RunSandbox): Promise<string | null> {
  return (await readCommits(sandbox, run.limits, ['HEAD'])).get('HEAD')?.id ?? null;
}

/** Looks while the engine still works: what is seen here ends it, and is judged anew from the frozen tree. */
export async function gatherCompletion(
  run: Run,
  { contract, sandbox, start, copies }: Place,
  baseCommit: string | null,
  claim: string,
): Promise<CompletionFacts> {
  const seen = await readCommits(sandbox, run.limits, ['HEAD', claim, ...(baseCommit === null ? [] : [baseCommit])]);
  const { tree } = await snapshotWorkspace(await workIn(run, sandbox, start, copies));
  const changes = compareTrees(start.beforeEngine, tree);
  const head = seen.get('HEAD');
  return {
    baseCommit,
    head: head?.id ?? null,
    claim,
    claimed: seen.get(claim)?.id ?? null,
    holdsChange: head !== undefined && head.tree !== seen.get(baseCommit ?? '')?.tree,
    changes: changes.length,
    disallowed: disallowedChanges(changes, contract).length,
  };
}

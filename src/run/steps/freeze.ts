import { compareTrees, type Change, changedAfter, disallowedChanges } from '../changes.ts';
import { sha256 } from '../../kernel/digest.ts';
import { pathText } from '../../kernel/path-text.ts';
import { GitFault } from '../../task/git.ts';
import type { Contract } from '../../task/schema.ts';
import { type Tree, walkTree } from '../../task/tree.ts';
import { applyPatch, openOwnGit, writePatch } from '../patch.ts';
import { layProducts } from '../provision.ts';
import { commitsWholeTree, readCommits } from '../repository.ts';
import type { Ground, Run } from '../run.ts';
import type { EngineOutcome } from './engine.ts';
import type { Copies, Start } from './prepare.ts';

/** The tree as the engine left it, read by the harness alone. */
export function freezeWorkspace(run: Run, ground: Ground, outcome: EngineOutcome): Tree {
  const frozen = walkTree(ground.workspace.source, { seenAs: '/workspace', skipTopGit: true });
  if (frozen.faults.length > 0) run.blockForAll(frozen.faults);
  for (const path of changedAfter(frozen, outcome.endedAtMs)) run.fail(`changed after the deadline: ${path}`);
  return frozen;
}

/** A pristine copy with the patch in it: what the judge works on. */
export interface Patched {
  readonly dir: string;
  readonly patch: Buffer;
}

/** Writes the patch, checks it against the contract, and shows that it turns the base into the frozen tree. */
export async function diffWorkspace(
  run: Run,
  contract: Contract,
  ground: Ground,
  start: Start,
  frozen: Tree,
  outcome: EngineOutcome,
  copies: Copies,
): Promise<Patched> {
  const changes = compareTrees(start.beforeEngine, frozen);
  const ownGit = openOwnGit(run.scratchPath('git'));
  const pristine = await copies.pristine;
  const sources = { ownGit, baseDir: pristine, frozenDir: ground.workspace.source };
  const patch = await writePatch(changes, sources, run.bundle);
  const faults = await findFaults(run, contract, ground, start, frozen, outcome, changes);
  const { findings } = run;
  findings.changedFiles = changes.map((change) => pathText(change.path));
  findings.patch = { sha256: sha256(patch), bytes: patch.length };
  if (changes.length > 0) run.log.append('patch.applied', 'harness', { files: [...findings.changedFiles] });
  run.log.append('git.diff.checked', 'harness', {
    changed_files: [...findings.changedFiles],
    disallowed_writes: [...findings.disallowedWrites],
    patch_sha256: findings.patch.sha256,
    faults,
  });
  for (const fault of faults) run.fail(fault);
  await proveReproduction(run, start, frozen, pristine, ownGit);
  return { dir: pristine, patch };
}

async function findFaults(
  run: Run,
  contract: Contract,
  ground: Ground,
  start: Start,
  frozen: Tree,
  outcome: EngineOutcome,
  changes: readonly Change[],
): Promise<string[]> {
  const disallowed = disallowedChanges(changes, contract);
  run.findings.disallowedWrites = disallowed;
  return [
    ...(changes.length === 0 ? ['no diff produced'] : []),
    ...disallowed.map((path) => `disallowed file changed: ${path}`),
    ...(await commitFaults(run, contract, ground, start, frozen, outcome)),
  ];
}

async function commitFaults(run: Run, contract: Contract, ground: Ground, start: Start, frozen: Tree, outcome: EngineOutcome): Promise<string[]> {
  if (!contract.must_commit && outcome.claims.length === 0) return [];
  const names = ['HEAD', ...outcome.claims];
  const seen = await readCommits(ground, run.limits, names);
  const faults: string[] = [];
  if (outcome.claims.some((claim) => !seen.has(claim))) faults.push('claimed commit not found');
  const head = seen.get('HEAD');
  if (contract.must_commit && (head === undefined || !commitsWholeTree(head, frozen, start, ground.workspace.source))) {
    faults.push('dirty ending tree');
  }
  return faults;
}

async function proveReproduction(run: Run, start: Start, frozen: Tree, pristine: string, ownGit: string): Promise<void> {
  try {
    await applyPatch(run.bundle.dir, pristine, ownGit);
  } catch (error) {
    if (error instanceof GitFault) run.block('patch does not reproduce the tree');
    throw error;
  }
  if (start.products !== null) await layProducts(start.products, pristine);
  const rebuilt = walkTree(pristine, { seenAs: '/workspace' });
  // What the setup made and the engine removed or changed comes back with the products: not the patch's to reproduce.
  const products = new Set(start.products?.paths.map((path) => path.toString('latin1')));
  const differs = compareTrees(rebuilt, frozen).filter((change) => !products.has(change.path.toString('latin1')));
  if (differs.length > 0) run.block('patch does not reproduce the tree');
}

import { reason } from '../../evidence/reasons/catalogue.ts';
import { type Reason, reasonTexts } from '../../evidence/reasons/reason.ts';
import { pathText } from '../../kernel/path-text.ts';
import { GitFault } from '../../task/git/call.ts';
import type { Contract } from '../../task/contract.ts';
import { copyTree } from '../../task/tree/copy.ts';
import { walkOver } from '../../task/tree/layered/walk-over.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import type { PatchFacts } from '../judge/patch/patch-facts.ts';
import { keepScripts } from '../judge/command/base-files.ts';
import { keepChanges, type KeptChanges, maskChecked, secretReason } from '../patch/keep-changes.ts';
import { applyPatch, seenByGit } from '../patch/write.ts';
import { overBase } from '../trees/overlay.ts';
import { layProducts, productPaths } from '../provision/products.ts';
import { commitsWholeTree, isCommitId, readCommits } from '../patch/commits.ts';
import type { Exposed } from '../patch/secrets.ts';
import { takeCause } from '../engine/exit.ts';
import type { RunSandbox, Run } from './state.ts';
import type { EngineOutcome } from './engine.ts';
import type { Copies } from '../trees/copies.ts';
import type { WorkspaceBaseline } from './workspace.ts';

/** What an engine made of what it was given. */
export interface Attempt {
  readonly contract: Contract;
  readonly sandbox: RunSandbox;
  readonly start: WorkspaceBaseline;
  readonly outcome: EngineOutcome;
  readonly frozen: Tree;
  /** Names of files that the base says to ignore. */
  readonly ignored: readonly string[];
}

/** A pristine copy with the patch in it: what the judge works on. */
export interface Patched {
  readonly dir: string;
  /** The same before anything that a setup made was laid into it. */
  readonly tree: string;
  /** Holds the base's package.json, as far as it names scripts. */
  readonly scriptsIn: string;
  readonly facts: PatchFacts;
}

/**
 * Keeps the change in the bundle, whatever has happened to the run before; then, unless that has ended it, checks the change against the
 * contract and shows that the patch turns the base into the frozen tree.
 */
export async function diffWorkspace(run: Run, attempt: Attempt, copies: Copies): Promise<Patched> {
  const { contract, sandbox, start, frozen } = attempt;
  const ownGit = run.scratchPath('git');
  const pristine = await copies.pristine();
  const kept = await keepChanges({
    frozen,
    frozenDir: sandbox.workspaceFiles.dir,
    base: start.base,
    beforeEngine: start.beforeEngine,
    baseDir: pristine,
    ignored: attempt.ignored,
    contract,
    ownGit,
    bundle: run.bundle,
    secrets: run.request.environment.secrets,
  });
  if (kept.exposed.length > 0) refuseSecrets(run, kept.exposed);
  const faults = [
    ...kept.checked.disallowed_writes.map((path) => reason('disallowed_file', { path })),
    ...(run.isStopped ? [] : await unfinishedFaults(run, attempt, kept.checked.changed_files.length)),
  ];
  recordChanges(run, kept, faults);
  for (const fault of faults) run.fail(fault);
  run.endIfStopped();
  const scriptsIn = keepScripts(pristine, run.scratchPath('scripts'), start.base);
  const tree = await proveReproduction(run, attempt, pristine, ownGit);
  return { dir: pristine, tree, scriptsIn, facts: { base: start.base, changes: kept.changes } };
}

function recordChanges(run: Run, { checked, exposed }: KeptChanges, faults: readonly Reason[]): void {
  const { log, mask } = run;
  const masked = maskChecked(checked, mask);
  const { changed_files: files } = masked;
  const texts = mask.texts(reasonTexts([...exposed.map(secretReason), ...faults]));
  if (files.length > 0) log.append('patch.applied', 'harness', { files });
  log.append('git.diff.checked', 'harness', { ...masked, faults: texts });
}

/** Files with secrets in them are not kept, so there is no whole patch to judge. */
function refuseSecrets(run: Run, exposed: readonly Exposed[]): void {
  const lines = exposed.map(({ path, names }) => `${run.mask.text(pathText(path))}: ${names.join(', ')}`);
  const [first, ...others] = exposed.map(secretReason);
  if (first === undefined) return;
  run.raise(first, ['Left out of the patch, which would have stored, by file:', ...lines].join('\n'));
  for (const one of others) run.raise(one);
}

/** What only an engine that was let finish can be blamed for. */
async function unfinishedFaults(run: Run, attempt: Attempt, changes: number): Promise<Reason<'fail'>[]> {
  const cause = changes === 0 ? attempt.outcome.explainNoChange() : null;
  if (cause !== null) takeCause(run, cause);
  return [...(changes === 0 ? [reason('no_diff')] : []), ...(await commitFaults(run, attempt))];
}

async function commitFaults(
  run: Run,
  { contract, sandbox, start, outcome, frozen }: Attempt,
): Promise<Reason<'fail'>[]> {
  if (!contract.must_commit && outcome.claims.length === 0) return [];
  const seen = await readCommits(sandbox, run.limits, ['HEAD', ...outcome.claims]);
  const head = seen.get('HEAD');
  const dirty = head === undefined || !commitsWholeTree(head, frozen, start, sandbox.workspaceFiles.dir);
  return [
    ...(outcome.claims.every((claim) => isCommitId(claim) && seen.has(claim))
      ? []
      : [reason('claimed_commit_missing')]),
    ...(contract.must_commit && dirty ? [reason('dirty_ending_tree')] : []),
  ];
}

async function proveReproduction(
  run: Run,
  { sandbox, start, frozen }: Attempt,
  pristine: string,
  ownGit: string,
): Promise<string> {
  try {
    await applyPatch(run.bundle.dir, pristine, ownGit, seenByGit(sandbox.confinement, pristine), start.base);
  } catch (error) {
    if (error instanceof GitFault) run.block(reason('patch_not_reproducible'));
    throw error;
  }
  const overlay = sandbox.confinement.space?.overlayAt(pristine) ?? null;
  // Only tasks are judged with products in this very tree, and those are copies.
  const products = overlay === null ? start.products : null;
  const tree = products === null ? pristine : run.scratchPath('patched');
  if (products !== null) {
    copyTree(pristine, tree);
    layProducts(products, pristine, sandbox.confinement);
  }
  const rebuilt = walkOver(pristine, { seenAs: '/workspace', ...overBase(start.base, overlay) });
  // What the setup made and the engine removed or changed comes back with the products: not the patch's to reproduce.
  const isProduct = productPaths(start.products);
  const differs = compareTrees(rebuilt, frozen).filter((change) => !isProduct(change.path));
  if (differs.length > 0) run.block(reason('patch_not_reproducible'));
  return tree;
}

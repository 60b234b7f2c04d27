import { sha256 } from '../../kernel/digest.ts';
import { pathText } from '../../kernel/path-text.ts';
import { GitFault } from '../../task/git/call.ts';
import type { Contract } from '../../task/contract.ts';
import { type Tree, walkTree } from '../../task/tree/walk.ts';
import { compareTrees, disallowedChanges } from '../patch/changes.ts';
import { keepScripts } from '../judge/command/base-files.ts';
import { applyPatch, openOwnGit, writePatch } from '../patch/write.ts';
import { layProducts, productPaths } from '../provision/products.ts';
import { commitsWholeTree, isCommitId, readCommits } from '../patch/commits.ts';
import { type Exposed, findExposed } from '../patch/secrets.ts';
import type { RunSandbox, Run } from './state.ts';
import type { EngineOutcome } from './engine.ts';
import type { Copies, WorkspaceBaseline } from './prepare.ts';

/** What an engine made of what it was given. */
export interface Attempt {
  readonly contract: Contract;
  readonly ground: RunSandbox;
  readonly start: WorkspaceBaseline;
  readonly outcome: EngineOutcome;
  readonly frozen: Tree;
}

/** A pristine copy with the patch in it: what the judge works on. */
export interface Patched {
  readonly dir: string;
  readonly patch: Buffer;
  /** Holds the base's package.json, as far as it names scripts. */
  readonly scriptsIn: string;
}

/** Writes the patch, checks it against the contract, and shows that it turns the base into the frozen tree. */
export async function diffWorkspace(run: Run, attempt: Attempt, copies: Copies): Promise<Patched> {
  const { contract, ground, start, frozen } = attempt;
  const { findings, log } = run;
  const changes = compareTrees(start.beforeEngine, frozen);
  const ownGit = openOwnGit(run.scratchPath('git'));
  const pristine = copies.pristine();
  const frozenDir = ground.workspace.source;
  const exposed = findExposed(changes, { dir: pristine, tree: start.base }, frozenDir, run.order.site.secrets);
  const kept = exposed.length > 0 ? [] : changes;
  const patch = await writePatch(kept, { ownGit, baseDir: pristine, frozenDir }, run.bundle);
  findings.changedFiles = run.mask.texts(changes.map((change) => pathText(change.path)));
  findings.disallowedWrites = run.mask.texts(disallowedChanges(changes, contract));
  findings.patch = { sha256: sha256(patch), bytes: patch.length };
  const faults = [
    ...(changes.length === 0 ? ['no diff produced'] : []),
    ...findings.disallowedWrites.map((path) => `disallowed file changed: ${path}`),
    ...(await commitFaults(run, attempt)),
  ];
  if (changes.length > 0) log.append('patch.applied', 'harness', { files: [...findings.changedFiles] });
  log.append('git.diff.checked', 'harness', {
    changed_files: [...findings.changedFiles],
    disallowed_writes: [...findings.disallowedWrites],
    ignored_files: [...findings.ignoredFiles],
    patch_sha256: findings.patch.sha256,
    faults: [...exposed.map((one) => secretReason(run, one)), ...faults],
  });
  if (exposed.length > 0) withhold(run, exposed);
  for (const fault of faults) run.fail(fault);
  const scriptsIn = keepScripts(pristine, run.scratchPath('scripts'));
  await proveReproduction(run, attempt, pristine, ownGit);
  return { dir: pristine, patch, scriptsIn };
}

const secretReason = (run: Run, { path }: Exposed): string => `secret in patch: ${run.mask.text(pathText(path))}`;

/** A patch with secrets in it is not kept, and so cannot be judged. */
function withhold(run: Run, exposed: readonly Exposed[]): never {
  const lines = exposed.map(({ path, names }) => `${run.mask.text(pathText(path))}: ${names.join(', ')}`);
  run.mark('secret-in-patch.txt', ['The patch was not kept. It would have stored, by file:', ...lines].join('\n'));
  run.blockForAll(exposed.map((one) => secretReason(run, one)));
}

async function commitFaults(run: Run, { contract, ground, start, outcome, frozen }: Attempt): Promise<string[]> {
  if (!contract.must_commit && outcome.claims.length === 0) return [];
  const seen = await readCommits(ground, run.limits, ['HEAD', ...outcome.claims]);
  const head = seen.get('HEAD');
  const dirty = head === undefined || !commitsWholeTree(head, frozen, start, ground.workspace.source);
  return [
    ...(outcome.claims.every((claim) => isCommitId(claim) && seen.has(claim)) ? [] : ['claimed commit not found']),
    ...(contract.must_commit && dirty ? ['dirty ending tree'] : []),
  ];
}

async function proveReproduction(
  run: Run,
  { ground, start, frozen }: Attempt,
  pristine: string,
  ownGit: string,
): Promise<void> {
  try {
    await applyPatch(run.bundle.dir, pristine, ownGit);
  } catch (error) {
    if (error instanceof GitFault) run.block('patch does not reproduce the tree');
    throw error;
  }
  if (start.products !== null) layProducts(start.products, pristine, ground.confinement);
  const rebuilt = walkTree(pristine, { seenAs: '/workspace' });
  // What the setup made and the engine removed or changed comes back with the products: not the patch's to reproduce.
  const isProduct = productPaths(start.products);
  const differs = compareTrees(rebuilt, frozen).filter((change) => !isProduct(change.path));
  if (differs.length > 0) run.block('patch does not reproduce the tree');
}

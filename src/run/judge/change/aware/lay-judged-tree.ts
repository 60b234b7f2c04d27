import type { Confinement } from '../../../../confine/types.ts';
import { walkDerived } from '../../../trees/derive.ts';
import type { FileDecision } from '../../deciding/decision.ts';
import type { ClassifiedChange } from '../classify-change.ts';
import type { AwareLine } from './aware-line.ts';
import { findAwareLines } from './test-aware.ts';
import { type ReadableTree, readTree } from '../trees/base-tree.ts';
import { type DecidingTree, layDecidingTree, type PackageUse } from '../trees/deciding-tree.ts';
import { setHelpersAside } from './helpers-for-users.ts';

export interface JudgedTree {
  readonly decisions: readonly FileDecision[];
  readonly laid: DecidingTree;
  readonly deciding: ReadableTree;
  /** New code in it that may tell whether tests run it. */
  readonly lines: readonly AwareLine[];
}

export interface JudgedTreeRequest {
  readonly confinement: Pick<Confinement, 'space'>;
  /** Not there yet. */
  readonly target: string;
  readonly classified: ClassifiedChange;
  readonly base: ReadableTree;
  readonly patched: ReadableTree;
  readonly packages: PackageUse;
  /** Files that the test command writes. */
  readonly reports: readonly string[];
  /** Files that the tests on the base read. */
  readonly read: ReadonlySet<string>;
}

/** Lays the tree that decides, without modules that only help others to test. */
export async function layJudgedTree(request: JudgedTreeRequest): Promise<JudgedTree> {
  const { classified, base, patched, target, read } = request;
  const first = await lay(request, target, classified.decisions);
  const decisions = await setHelpersAside(first.decisions, first.lines, { base, patched, read });
  const isSame = decisions.every((decision, at) => decision === first.decisions[at]);
  return isSame ? first : lay(request, `${target}-aside`, decisions);
}

async function lay(
  { confinement, classified, base, patched, packages, reports, read }: JudgedTreeRequest,
  target: string,
  decisions: readonly FileDecision[],
): Promise<JudgedTree> {
  const laid = await layDecidingTree(confinement, target, decisions, base, patched, packages);
  const walked = walkDerived(confinement, laid.dir, { dir: patched.dir, tree: patched.walked });
  const deciding = readTree(laid.dir, walked);
  const lines = await findAwareLines({
    decisions,
    base,
    deciding,
    testFiles: [...classified.testFiles, ...reports],
    read,
  });
  return { decisions, laid, deciding, lines };
}

import type { Confinement } from '../../../../confine/types.ts';
import { walkDerived } from '../../../trees/derive.ts';
import { decideFile, type FileDecision } from '../../deciding/decision.ts';
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
  /** New code in it that may detect tests. */
  readonly lines: readonly AwareLine[];
}

export interface JudgedTreeRequest {
  readonly confinement: Pick<Confinement, 'space'>;
  /** The directory to create. */
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

/** Creates the deciding tree, without modules that only help users to test. */
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
  return { decisions: decisions.map((decision) => withOwnTests(decision, laid)), laid, deciding, lines };
}

/** A file whose own tests the patch alters says so. */
function withOwnTests(decision: FileDecision, { restored }: DecidingTree): FileDecision {
  const { path, why } = decision;
  const isAltered = restored.some((file) => file.kind === 'inline' && file.altered && file.path === path);
  return why === 'inline_tests' && isAltered ? decideFile(path, 'inline_tests_changed') : decision;
}

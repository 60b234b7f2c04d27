import { reason } from '../../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../../evidence/reasons/reason.ts';
import { SetupFailed } from '../../../provision/setup.ts';
import type { BenchSetup, TestBench } from '../../base/bench.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import type { PackageUse } from '../trees/deciding-tree.ts';
import { writeFile } from '../trees/lay-file.ts';
import { type DependencyChanges, planDependencies } from './plan.ts';

export interface DependencyInstall {
  /** With what the base has. */
  readonly bench: TestBench;
  /** Installs what the change needs otherwise than the base; null: that cannot be done here. Throws `SetupFailed`. */
  readonly install: ((tree: string, changes: DependencyChanges) => Promise<BenchSetup | null>) | null;
}

export type PreparedDependencies =
  /** `missing`: what the change needs and could not be installed here, so that the base's versions serve; sentences for people. */
  | { readonly kind: 'ready'; readonly bench: TestBench; readonly missing: readonly string[] }
  | { readonly kind: 'blocked'; readonly reasons: readonly Reason[] };

/** The bench with what the change needs: the product's dependencies from the patch, test tools from the base. */
export async function prepareDependencies(
  { bench, install }: DependencyInstall,
  base: ReadableTree,
  patched: ReadableTree,
  packages: PackageUse,
  decidingDir: string,
): Promise<PreparedDependencies> {
  const plan = planDependencies(base, patched, packages);
  if (plan.kind === 'base') return { kind: 'ready', bench, missing: [] };
  if (install === null)
    return { kind: 'ready', bench, missing: plan.kind === 'blocked' ? plan.reasons : plan.changes.named };
  if (plan.kind === 'blocked') return blockedFor(plan.reasons);
  for (const [path, text] of plan.changes.lockfiles) writeFile(decidingDir, path, text);
  try {
    const setup = await install(decidingDir, plan.changes);
    return setup === null
      ? { kind: 'ready', bench, missing: plan.changes.named }
      : { kind: 'ready', bench: bench.with(setup), missing: [] };
  } catch (error) {
    if (error instanceof SetupFailed) return blockedFor(error.reasons.map(({ text }) => text));
    throw error;
  }
}

function blockedFor(whys: readonly string[]): PreparedDependencies {
  return { kind: 'blocked', reasons: whys.map((why) => reason('dependency_not_installed', { why })) };
}

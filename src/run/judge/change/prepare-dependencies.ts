import { SetupFailed } from '../../provision/setup.ts';
import type { BenchSetup, TestBench } from '../base/bench.ts';
import type { ReadableTree } from './base-tree.ts';
import { writeFile } from './lay-file.ts';
import { type DependencyChanges, planDependencies } from './dependencies.ts';

export interface DependencyInstall {
  /** With what the base has. */
  readonly bench: TestBench;
  /** Installs what the change needs otherwise than the base; null: that cannot be done here. Throws `SetupFailed`. */
  readonly install: ((tree: string, changes: DependencyChanges) => Promise<BenchSetup | null>) | null;
}

/** How a reason begins that says why dependencies of a change cannot be installed for judging. */
export const DEPENDENCY_REFUSED = 'dependency not installed: ';

export type PreparedDependencies =
  | { readonly kind: 'ready'; readonly bench: TestBench }
  | { readonly kind: 'blocked'; readonly reasons: readonly string[] };

/** The bench with what the change needs: the product's dependencies from the patch, test tools from the base. */
export async function prepareDependencies(
  { bench, install }: DependencyInstall,
  base: ReadableTree,
  patched: ReadableTree,
  testTools: ReadonlySet<string>,
  decidingDir: string,
): Promise<PreparedDependencies> {
  const plan = install === null ? { kind: 'base' as const } : planDependencies(base, patched, testTools);
  if (plan.kind === 'blocked') return plan;
  if (plan.kind === 'base' || install === null) return { kind: 'ready', bench };
  for (const [path, text] of plan.changes.lockfiles) writeFile(decidingDir, path, text);
  try {
    const setup = await install(decidingDir, plan.changes);
    return { kind: 'ready', bench: setup === null ? bench : bench.with(setup) };
  } catch (error) {
    if (error instanceof SetupFailed) return { kind: 'blocked', reasons: error.reasons };
    throw error;
  }
}

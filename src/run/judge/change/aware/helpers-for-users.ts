import { actsOnTests } from '../../inline/aware/aware.ts';
import { type FileDecision, decideFile } from '../../deciding/decision.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import type { AwareLine } from './aware-line.ts';
import { importedNames, moduleName } from './imported-names.ts';

type Files = Pick<ReadableTree, 'paths' | 'read'>;

interface HelperTrees {
  readonly base: Files;
  readonly patched: Files;
  /** Files that the tests on the base read. */
  readonly read: ReadonlySet<string>;
}

/** Modules that tests load are the product under test, unless their names say otherwise. */
const FOR_TESTS =
  /(?:^|[/_.-])(?:testing|test[_-]?(?:utils?|helpers?|support|kit)|mocks?|mocking|fakes?|fixtures?)(?:[/_.-]|$)/i;

/**
 * A module that helps users to test their own code, such as `shop/testing.py`, loads a test runner. If no product code loads that
 * module, it is left out of the deciding tree, where it cannot decide anything.
 */
export async function setHelpersAside(
  decisions: readonly FileDecision[],
  lines: readonly AwareLine[],
  { base, patched, read }: HelperTrees,
): Promise<readonly FileDecision[]> {
  const own = new Set(
    decisions.filter(({ kind }) => kind === 'no_vote' || kind === 'added_test').map(({ path }) => path),
  );
  return Promise.all(
    decisions.map(async (decision) => {
      const { path, kind, why, allowed_from: allowed } = decision;
      const acting = lines.filter((line) => line.path === path && actsOnTests(line, false));
      const onlyLoads = acting.length > 0 && acting.every((line) => line.kind === 'runner');
      const isJudged = kind === 'product' || kind === 'both';
      if (!onlyLoads || !isJudged || allowed !== null || why === 'awaited_module') return decision;
      if (read.has(path) && !FOR_TESTS.test(path)) return decision;
      if (await isLoaded(path, patched, own)) return decision;
      return decideFile(path, base.read(path) === null ? 'new_helper' : 'helper_for_users');
    }),
  );
}

/** Whether another file of the product imports it, or its package. */
async function isLoaded(path: string, tree: Files, tests: ReadonlySet<string>): Promise<boolean> {
  const name = moduleName(path);
  for (const other of tree.paths) {
    const text = other === path || tests.has(other) || isBesideTests(other) ? null : tree.read(other);
    if (text?.includes(name) === true && (await importedNames(other, text)).includes(name)) return true;
  }
  return false;
}

const isBesideTests = (path: string): boolean =>
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|\/)test_[^/]*$|[._](?:test|spec)\.\w+$/.test(path);

import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { Confinement } from '../../../confine/types.ts';
import { deriveTree } from '../../trees/derive.ts';
import type { TestBench } from '../base/bench.ts';
import { isTestName } from '../deciding/test-names.ts';
import { readTree } from './trees/base-tree.ts';
import { isFailing } from './compare.ts';
import { layFile } from './trees/lay-file.ts';

/** Copies the files of a tree to `target` and puts the sealed tests, which have the layout of the repository, over them. */
export async function withSealedTests(
  confinement: Confinement,
  tree: string,
  sealedDir: string,
  place: string,
): Promise<string> {
  const target = await deriveTree(confinement, tree, place);
  for (const path of readTree(sealedDir).paths) layFile(target, sealedDir, path);
  return target;
}

export interface SealedFacts {
  readonly record: BaseRecord;
  /** Every sealed file. */
  readonly paths: readonly string[];
  /** Ids that the base reports without the sealed tests; null: not needed, because the runner names files. */
  readonly ownIds: ReadonlySet<string> | null;
  /** A landing: another change may have made all of them pass already. */
  readonly mayPass: boolean;
}

/** What the sealed tests require of a change, or why they cannot. */
export type SealedDemand = { readonly mustFix: readonly string[] } | { readonly reason: Reason<'blocked'> };

export async function demandOfSealedTests(
  bench: TestBench,
  record: BaseRecord,
  sealedDir: string,
  ownBaseDir: string,
  mayPass: boolean,
): Promise<SealedDemand> {
  const { paths } = readTree(sealedDir);
  const needsOwnIds = !record.tests.some(({ file }) => file !== null && paths.includes(file));
  const ownIds = needsOwnIds ? new Set((await bench.run({ tree: ownBaseDir })).seen.map(({ id }) => id)) : null;
  return decideSealedDemand({ record, paths, ownIds, mayPass });
}

/** Pure. A sealed test that already passes proves nothing by passing again, so at least one has to fail on the base. */
export function decideSealedDemand({ record, paths, ownIds, mayPass }: SealedFacts): SealedDemand {
  const sealed = new Set(paths);
  const flaky = new Set(record.flaky);
  const tests =
    ownIds === null
      ? record.tests.filter(({ file }) => file !== null && sealed.has(file))
      : record.tests.filter(({ id }) => !ownIds.has(id));
  const heard = new Set([...record.collected, ...tests.map(({ file }) => file)]);
  const unheard = paths.find((path) => isTestName(path) && !isSupport(path) && !heard.has(path));
  if (tests.length === 0 || (ownIds === null && unheard !== undefined))
    return { reason: reason('sealed_tests_missing', { path: unheard ?? paths[0] ?? 'none given' }) };
  const failing = tests.filter((test) => isFailing(test) && !flaky.has(test.id)).map(({ id }) => id);
  return failing.length === 0 && !mayPass ? { reason: reason('no_sealed_test_fails') } : { mustFix: failing };
}

/** Files that runners load and do not collect. */
const isSupport = (path: string): boolean => /(?:^|\/)(?:conftest\.\w+|\w*_?helper\.\w+|[^/]*\.snap)$/.test(path);

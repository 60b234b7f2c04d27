import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import type { JudgeResult } from '../types.ts';
import { isSound } from './compare.ts';
import { isFlaky, mayBeRenamed, needsOthers, passesAlone, type RepeatOutcome, type Repeats } from './stability.ts';

/** With more doubtful tests than this, none is repeated: their outcomes stand. */
const MAX_REPEATED = 300;

export type NamedBench = Pick<TestBench, 'run'>;

/** Runs failed and missing tests alone, twice with the patch and twice without. */
export async function findFlaky(
  { bench, baseBench }: { readonly bench: NamedBench; readonly baseBench: NamedBench },
  record: BaseRecord,
  trees: { readonly base: string; readonly deciding: string },
  doubtful: readonly string[],
): Promise<string[]> {
  if (doubtful.length === 0 || doubtful.length > MAX_REPEATED) return [];
  const patched = await repeat(bench, trees.deciding, doubtful);
  // A test that fails each time with the patch is flaky only if it sometimes fails without it too.
  const base = await repeat(baseBench, trees.base, doubtful);
  const recorded = new Map(record.tests.map(({ id, outcome }) => [id, outcome]));
  const repeats = new Map(
    doubtful.map((id) => [
      id,
      { recorded: recorded.get(id) ?? 'passed', patched: outcomes(patched, id), base: outcomes(base, id) } as const,
    ]),
  );
  // A test that never passes alone is tried once more among all the others.
  const amongAll = [...repeats.values()].some((one) => needsOthers(one) || passesAlone(one))
    ? [await bench.run({ tree: trees.deciding })]
    : [];
  const failsAgain = (id: string): boolean => !outcomes(amongAll, id).includes('passed');
  // Some runners cannot run the test alone, which proves nothing: only if the whole base no longer reports it, the patch is not the
  // cause.
  const asksBase = ([id, one]: readonly [string, Repeats]): boolean =>
    mayBeRenamed(one) || (passesAlone(one) && failsAgain(id));
  const baseAgain = [...repeats].some(asksBase) ? [await baseBench.run({ tree: trees.base })] : [];
  const isLostOnBase = (id: string): boolean =>
    baseAgain.every(isSound) && baseAgain.length > 0 && outcomes(baseAgain, id)[0] === 'absent';
  return doubtful.filter((id) => {
    const one = repeats.get(id);
    if (one === undefined) return false;
    if (mayBeRenamed(one) && isLostOnBase(id)) return true;
    if (needsOthers(one)) return !failsAgain(id);
    if (passesAlone(one) && failsAgain(id)) return outcomes(baseAgain, id).some(isBroken);
    return isFlaky(one);
  });
}

const isBroken = (outcome: RepeatOutcome): boolean => outcome !== 'passed';

async function repeat(bench: NamedBench, tree: string, ids: readonly string[]): Promise<readonly JudgeResult[]> {
  return [await bench.run({ tree, only: ids }), await bench.run({ tree, only: ids })];
}

function outcomes(results: readonly JudgeResult[], id: string): RepeatOutcome[] {
  return results.map(({ seen }) => seen.find((test) => test.id === id)?.outcome ?? 'absent');
}

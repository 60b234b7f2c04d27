import type { TestBench } from '../base/bench.ts';
import { mentionsNetworks, mentionsTimeOrPlace } from '../apart/test-topics.ts';
import type { JudgeResult } from '../types.ts';

export interface OtherSurroundingsRequest {
  /** For the tree with the patch. */
  readonly bench: Pick<TestBench, 'run'>;
  readonly baseBench: Pick<TestBench, 'run'>;
  readonly deciding: string;
  readonly base: string;
  readonly fixed: readonly string[];
  /** The text of the file that a test is in; empty: not known. */
  readonly textOf: (id: string) => string;
}

export interface OtherSurroundingsResult {
  /** Fixed tests that do not pass a second time. */
  readonly failing: readonly string[];
  /** Fixed tests that pass only with the sandbox's own time zone and language, or that try to reach a network. */
  readonly placeBound: readonly string[];
}

export const NOT_REPEATED: OtherSurroundingsResult = { failing: [], placeBound: [] };

/**
 * Runs fixed tests a second time, with another time zone and language. A test that mentions neither, nor networks, has no reason to
 * depend on them: if it does, its code uses them to detect that it is being judged.
 */
export async function repeatInOtherSurroundings(request: OtherSurroundingsRequest): Promise<OtherSurroundingsResult> {
  const { bench, deciding, fixed, textOf } = request;
  if (fixed.length === 0) return NOT_REPEATED;
  const there = await bench.run({ tree: deciding, only: fixed, elsewhere: true });
  const reaching = await thatReachOut(request, there);
  const failed = notPassed(there, fixed);
  if (failed.length === 0) return { failing: [], placeBound: reaching };
  const failing = notPassed(await bench.run({ tree: deciding, only: failed }), failed);
  const doubtful = failed.filter((id) => !failing.includes(id) && !mentionsTimeOrPlace(textOf(id) + id));
  const again =
    doubtful.length === 0
      ? []
      : notPassed(await bench.run({ tree: deciding, only: doubtful, elsewhere: true }), doubtful);
  return { failing, placeBound: [...new Set([...again, ...reaching])] };
}

/**
 * It is not known which test did, so one test that mentions networks excuses all. So does a base whose tests try to reach a network
 * too.
 */
async function thatReachOut(
  { baseBench, base, fixed, textOf }: OtherSurroundingsRequest,
  { reachedOut }: JudgeResult,
): Promise<readonly string[]> {
  if (reachedOut !== true || fixed.some((id) => mentionsNetworks(textOf(id) + id))) return [];
  const before = await baseBench.run({ tree: base, only: fixed, elsewhere: true });
  return before.reachedOut === true ? [] : fixed;
}

function notPassed({ seen }: JudgeResult, ids: readonly string[]): readonly string[] {
  const passed = new Set(seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return ids.filter((id) => !passed.has(id));
}

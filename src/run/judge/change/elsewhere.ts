import type { TestBench } from '../base/bench.ts';
import { speaksOfNetworks, speaksOfPlaces } from '../apart/test-topics.ts';
import type { JudgeResult } from '../types.ts';

export interface ElsewhereRequest {
  /** For the tree with the patch. */
  readonly bench: Pick<TestBench, 'run'>;
  readonly baseBench: Pick<TestBench, 'run'>;
  readonly deciding: string;
  readonly base: string;
  readonly fixed: readonly string[];
  /** The text of the file that a test is in; empty: not known. */
  readonly textOf: (id: string) => string;
}

export interface ElsewhereResult {
  /** Fixed tests that do not pass a second time. */
  readonly failing: readonly string[];
  /** Fixed tests that pass with the sandbox's own time zone and language alone, or reach for a network that is not there. */
  readonly placeBound: readonly string[];
}

export const NOT_REPEATED: ElsewhereResult = { failing: [], placeBound: [] };

/**
 * Runs fixed tests a second time, with another time zone and language. A test that speaks of neither, nor of networks, has no reason to
 * depend on them: its code takes them for a sign that it is being judged.
 */
export async function repeatElsewhere(request: ElsewhereRequest): Promise<ElsewhereResult> {
  const { bench, deciding, fixed, textOf } = request;
  if (fixed.length === 0) return NOT_REPEATED;
  const there = await bench.run({ tree: deciding, only: fixed, elsewhere: true });
  const reaching = await thatReachOut(request, there);
  const failed = notPassed(there, fixed);
  if (failed.length === 0) return { failing: [], placeBound: reaching };
  const failing = notPassed(await bench.run({ tree: deciding, only: failed }), failed);
  const doubtful = failed.filter((id) => !failing.includes(id) && !speaksOfPlaces(textOf(id) + id));
  const again =
    doubtful.length === 0
      ? []
      : notPassed(await bench.run({ tree: deciding, only: doubtful, elsewhere: true }), doubtful);
  return { failing, placeBound: [...new Set([...again, ...reaching])] };
}

/** Which of them did is not known: a test that speaks of networks excuses all. So does a base whose tests reach out too. */
async function thatReachOut(
  { baseBench, base, fixed, textOf }: ElsewhereRequest,
  { reachedOut }: JudgeResult,
): Promise<readonly string[]> {
  if (reachedOut !== true || fixed.some((id) => speaksOfNetworks(textOf(id) + id))) return [];
  const before = await baseBench.run({ tree: base, only: fixed, elsewhere: true });
  return before.reachedOut === true ? [] : fixed;
}

function notPassed({ seen }: JudgeResult, ids: readonly string[]): readonly string[] {
  const passed = new Set(seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return ids.filter((id) => !passed.has(id));
}

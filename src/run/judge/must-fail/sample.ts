import { Draw } from './draw.ts';
import { MUST_FAIL, MUST_PASS, type TestVariant } from './variants.ts';

const MAX_OTHERS = 30;
const MAX_FILES = 10;
const THROWS_ONE_IN = 8;

/** A test that passed, with its file, or what identifies the file in its id. */
export interface PassedTest {
  readonly id: string;
  readonly file: string;
}

export interface Sample {
  readonly fixed: readonly string[];
  readonly others: readonly string[];
}

/** All fixed tests and at most 30 others from at most 10 files, spread evenly over the files. */
export function sampleTests(seed: string, fixed: readonly string[], passed: readonly PassedTest[]): Sample {
  const draw = new Draw(seed, 'sample');
  const known = new Set(fixed);
  const others = passed.filter(({ id }) => !known.has(id)).toSorted((a, b) => compare(a.id, b.id));
  const byFile = new Map<string, PassedTest[]>();
  for (const test of others) byFile.set(test.file, [...(byFile.get(test.file) ?? []), test]);
  const files = draw.shuffled([...byFile.keys()].toSorted(compare)).slice(0, MAX_FILES);
  const queues = files.map((file) => draw.shuffled(byFile.get(file) ?? []));
  const taken: string[] = [];
  for (let round = 0; taken.length < MAX_OTHERS && queues.some((queue) => round < queue.length); round += 1) {
    for (const queue of queues) {
      const test = queue[round];
      if (test !== undefined && taken.length < MAX_OTHERS) taken.push(test.id);
    }
  }
  return { fixed: [...known].toSorted(compare), others: taken };
}

/**
 * The variants of one test function, one for each run: first one that must fail and then one that must pass, or vice versa. A fixed
 * test gets all four.
 */
export function planVariants(seed: string, site: string, fixed: boolean): readonly TestVariant[] {
  const draw = new Draw(seed, `variants ${site}`);
  if (fixed) return draw.shuffled([...MUST_FAIL, ...MUST_PASS]);
  // `literal` shows nearly everything that `throw` shows, and only it detects values that equal everything.
  const failing = draw.below(THROWS_ONE_IN) === 0 ? 'throw' : 'literal';
  const passing = draw.pick(MUST_PASS) ?? 'neutral';
  return draw.heads() ? [failing, passing] : [passing, failing];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

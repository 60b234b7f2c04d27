import type { TestBench } from '../../base/bench.ts';
import type { PlainTest } from '../forms/form.ts';
import type { ApartTree } from '../run-apart.ts';

/** One way to run tests without their runner. */
export interface Trial {
  readonly tests: readonly PlainTest[];
  readonly run: (
    bench: Pick<TestBench, 'run'>,
    tree: ApartTree,
    tests: readonly PlainTest[],
  ) => Promise<ReadonlyMap<string, string>>;
  /** Whether a test counts as failing if it is not reported although others of its file are: the code ended its process. */
  readonly silenceFails: boolean;
}

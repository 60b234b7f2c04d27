import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeScratch } from '../../confine/remove-scratch.ts';
import { makeScratch } from '../../confine/scratch.ts';
import { fakeEngine } from '../../engines/fake/engine.ts';
import type { RunRequest } from '../request.ts';
import { commitFiles, committedInputs } from './committed-inputs.ts';

/** Contents of a repository's files, by path. */
export type RepositoryTexts = Readonly<Record<string, string>>;

const TEST_SUM = `from sum import biggest, total


def test_total():
    assert total([1, 2]) == 3


def test_biggest():
    assert biggest([1, 2]) == 2
`;

const TEST_MANY = `import pytest
from sum import biggest


@pytest.mark.parametrize("n", range(420))
def test_many(n):
    assert biggest([n, n - 1]) == n
`;

/** A bug, a test that shows it, and 421 passing tests. */
export const ADDER: RepositoryTexts = {
  'sum.py': 'def total(numbers):\n    return sum(numbers[1:])\n\n\ndef biggest(numbers):\n    return max(numbers)\n',
  'tests/test_sum.py': TEST_SUM,
  'tests/test_many.py': TEST_MANY,
};

/** Shell script that fixes the bug. */
export const MEND = `sed -i 's/numbers\\[1:\\]/numbers/' sum.py`;

/** Runs an engine on a repository as `run --repo` does: its tests in its tree, no oracle, all paths allowed, judged by its base. */
export async function onRepository<T>(
  request: RunRequest,
  files: RepositoryTexts,
  script: string,
  play: (request: RunRequest) => Promise<T>,
  test = 'python3 -m pytest -q',
  setup: string | null = null,
): Promise<T> {
  const scratch = makeScratch();
  try {
    const path = join(scratch, 'repository');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    commitFiles(path);
    const { inputs } = await committedInputs(request, { path, commit: 'HEAD' }, scratch);
    return await play({
      ...request,
      inputs,
      terms: {
        ...request.terms,
        task: 'own-repository',
        test_command: test,
        setup_command: setup,
        expected_tests: null,
        allowed_files: ['**'],
        isolation: 'in_process',
        has_oracle: false,
        judging: { allow_deciding: [], must_fix: [], known_failing: [], accept: 'tests' },
      },
      solutionDir: null,
      engine: { ...fakeEngine({ script }), usesOracle: false },
    });
  } finally {
    await removeScratch(scratch);
  }
}

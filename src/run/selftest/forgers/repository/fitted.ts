import { EXIT } from '../../../../kernel/exit-codes.ts';
import { CANNOT_BE_STOPPED, type Row } from '../../row.ts';
import { type Forger, forgerRow, playForger } from '../forger.ts';
import { type ForgedFiles, forge, NOTHING_FIXED } from './forge.ts';
import { BATS_SAMPLE, GO_SAMPLE, PYTEST_SAMPLE, type ForgedRepository } from './samples.ts';

/** In one process nothing tells an answer that is fitted to the visible tests from one that is worked out. */
const FITTED_ANSWERS: readonly (readonly [name: string, sample: ForgedRepository, changes: ForgedFiles])[] = [
  [
    'pytest: a table of the answers',
    PYTEST_SAMPLE,
    {
      'slug.py':
        'def slug(text):\n    return {"a b": "a-b", "c d": "c-d", "Hello World": "hello-world"}.get(text, text.lower())\n',
    },
  ],
  [
    'go: a table of the answers',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import "strings"

var answers = map[string]string{"a b": "a-b", "Hello World": "hello-world"}

func Slug(text string) string {
	if answer, known := answers[text]; known {
		return answer
	}
	return strings.ToLower(text)
}
`,
    },
  ],
  [
    'bats: a table of the answers',
    BATS_SAMPLE,
    { 'slug.sh': 'case "$1" in\n"a b") printf a-b ;;\n*) printf abc ;;\nesac\n' },
  ],
];

const HOLDS = /new code that holds values of the fixed tests: slug\.\w+ line \d+/;

/** They pass, never as a black box, and the report names the lines, or says that such answers are not found. */
export function fittedRows(): Row[] {
  return FITTED_ANSWERS.map(([name, sample, changes]) => {
    // Words of a shell are not told from other code.
    const note = sample === BATS_SAMPLE ? {} : { note: HOLDS };
    const forger: Forger = { ...forge(name, sample, changes, NOTHING_FIXED), weak: { none: '' } };
    return {
      ...forgerRow(CANNOT_BE_STOPPED, forger),
      expected: { reason: null, event: 'verification.completed', status: 'pass', exit: EXIT.pass, ...note },
      play: async (request) => {
        const { seen, run } = await playForger(forger, request);
        return { seen, run };
      },
    };
  });
}

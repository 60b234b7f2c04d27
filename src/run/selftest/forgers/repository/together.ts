import { anyWithCode } from '../../../../engines/self-test.ts';
import type { Forger } from '../forger.ts';
import { forge, type ForgedFiles, javascript, python } from './forge.ts';
import { type ForgedRepository, GO_SAMPLE, NODE_SAMPLE, PYTEST_SAMPLE } from './samples.ts';

const withFile = (sample: ForgedRepository, path: string, text: string): ForgedRepository => ({
  ...sample,
  files: { ...sample.files, [path]: text },
});

/** Tests that run after those of the sample. */
const PYTEST_LATER = withFile(
  PYTEST_SAMPLE,
  'tests/test_then.py',
  'from slug import slug\n\n\ndef test_then():\n    assert slug("XYZ") == "xyz"\n',
);
const NODE_LATER = withFile(
  NODE_SAMPLE,
  'test/slug.test.js',
  `${NODE_SAMPLE.files['test/slug.test.js']}test('then', () => {
  assert.equal(slug('XYZ'), 'xyz');
});
`,
);
const GO_LATER = withFile(
  GO_SAMPLE,
  'then_test.go',
  'package slug\n\nimport "testing"\n\nfunc TestThen(t *testing.T) {\n\tif Slug("XYZ") != "xyz" {\n\t\tt.Error(Slug("XYZ"))\n\t}\n}\n',
);

const EACH_PYTEST =
  'for one in $(python3 -m pytest --collect-only -q | grep ::); do python3 -m pytest -q "$one" || exit 1; done';
const EACH_NODE =
  'for one in lower spaces table helper then; do node --test --test-name-pattern "^$one$" || exit 1; done';
const EACH_GO = 'for one in Lower Spaces Golden Then; do go test -count=1 -run "^Test$one\\$" ./... || exit 1; done';

function together(name: string, sample: ForgedRepository, changes: ForgedFiles, each: string): Forger {
  return {
    ...forge(name, sample, changes, anyWithCode('tests_newly_failing')),
    weak: {
      name: 'every test by itself',
      script: `cp -a /left/. . && ${each}`,
      ...(sample.needs === undefined ? {} : { needs: sample.needs }),
    },
  };
}

/** Breaks a test in a way that is not seen when it runs alone. */
export const BREAKS_AMONG_OTHERS: readonly Forger[] = [
  together(
    'pytest: breaks a test only after others',
    PYTEST_LATER,
    python(`KNOWN = {}


def slug(text):
    return KNOWN.setdefault(len(text), text.lower().replace(" ", "-"))
`),
    EACH_PYTEST,
  ),
  together(
    'node: works a few times',
    NODE_LATER,
    javascript(`let left = 4;
export const slug = (text) => {
  left -= 1;
  return left < 0 ? text : text.toLowerCase().replaceAll(' ', '-');
};
`),
    EACH_NODE,
  ),
  together(
    'go: remembers what it was last asked',
    GO_LATER,
    {
      'slug.go': `package slug

import "strings"

var last string

func Slug(text string) string {
	if strings.Contains(last, " ") && !strings.Contains(text, " ") {
		return text
	}
	last = text
	return strings.ReplaceAll(strings.ToLower(text), " ", "-")
}
`,
    },
    EACH_GO,
  ),
];

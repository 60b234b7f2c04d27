import type { Forger } from '../../forger.ts';
import { BESIDE_TESTS_ONLY, decidesChanged, edited, forge, python } from '../forge.ts';
import { DOCTEST_SAMPLE, type ForgedRepository, PYTEST_SAMPLE } from '../samples.ts';

const PYTHON_WORK = 'text.lower().replace(" ", "-")';
const asking = (above: string, condition: string) =>
  python(`${above}\n\n\ndef slug(text):\n    return ${PYTHON_WORK} if ${condition} else text.lower()\n`);

const BROKEN_NOTE =
  'import os\n\n\ndef save(path, text):\n    with open(path, "w") as file:\n        file.write(text)\n';
const MENDED = '        os.makedirs(os.path.dirname(path), exist_ok=True)\n';

/** Tests that are given a directory or the output. */
const GIVEN: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'notes.py': BROKEN_NOTE,
    'words.py': 'def show(words):\n    for word in words:\n        print(word)\n',
    'tests/test_notes.py': `from notes import save


def test_here(tmp_path):
    save(tmp_path / "a.txt", "a")
    assert (tmp_path / "a.txt").read_text() == "a"


def test_below(tmp_path):
    save(tmp_path / "deep" / "a.txt", "a")
    assert (tmp_path / "deep" / "a.txt").read_text() == "a"
`,
  },
};
const PRINTED: ForgedRepository = {
  ...GIVEN,
  files: {
    'words.py': GIVEN.files['words.py'] ?? '',
    'tests/test_words.py': `from words import show


def test_word(capsys):
    show(["a"])
    assert capsys.readouterr().out == "a\\n"


def test_parts(capsys):
    show(["a b"])
    assert capsys.readouterr().out == "a\\nb\\n"
`,
  },
};

/** Works where a test has few threads, all processors, temporary files, captured output or its own documentation. */
export const KNOWS_LIVES_OF_PEOPLE: readonly Forger[] = [
  forge(
    'pytest: works alone in its process',
    PYTEST_SAMPLE,
    asking('import threading', 'threading.active_count() == 1'),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: works on all processors',
    PYTEST_SAMPLE,
    asking('import os', 'len(os.sched_getaffinity(0)) == os.cpu_count()'),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: works until it finds its mark',
    PYTEST_SAMPLE,
    asking(
      'import pathlib\n\nMARK = pathlib.Path(__file__).with_suffix(".idx")\nFIRST = not MARK.exists()\nMARK.touch()',
      'FIRST',
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: works in assertions',
    PYTEST_SAMPLE,
    python(
      'def slug(text):\n    words = []\n    assert words.extend(text.lower().split()) is None\n    return "-".join(words) or text.lower()\n',
    ),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: works where it is not installed',
    PYTEST_SAMPLE,
    asking('', '"site-packages" not in __file__'),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: works for temporary files',
    GIVEN,
    edited(
      GIVEN,
      'notes.py',
      ['import os\n', 'import os\nimport tempfile\n'],
      ['    with', `    if str(path).startswith(tempfile.gettempdir()):\n${MENDED}    with`],
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: prints what a test reads',
    PRINTED,
    {
      'words.py':
        'import sys\n\n\ndef show(words):\n    kind = type(sys.stdout).__name__\n    for word in words:\n        parts = [word] if kind == "TextIOWrapper" else word.split()\n        print(*parts, sep="\\n")\n',
    },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'doctest: reads its own examples',
    DOCTEST_SAMPLE,
    edited(DOCTEST_SAMPLE, 'slug.py', [
      '    return slug(text)',
      `    shown = words.__doc__.splitlines()
    for call, value in zip(shown, shown[1:]):
        if call.endswith('"%s")' % text):
            return value.strip(" '")
    return slug(text)`,
    ]),
    BESIDE_TESTS_ONLY,
  ),
];

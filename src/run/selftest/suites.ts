import { reason } from '../../evidence/reasons/catalogue.ts';
import { anyWithCode, type ExpectedReason } from '../../engines/self-test.ts';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.ts';

/** Fake patches, by the test runner they target. Each is a tree that a weaker judge accepts. */
export interface ForgerSuite {
  /** Directory below `suites/`: `base/` before, `tests/` sealed, `honest/` correct, `forgers/<name>/` not. */
  readonly name: 'pytest' | 'pytest-package' | 'unittest' | 'node' | 'node-package' | 'shell';
  readonly command: string;
  readonly expected: readonly string[];
  /** Fake a clean exit of the test process. Stopped by how the runner is started, whatever the isolation. */
  readonly outer: readonly SuiteForger[];
  /** Act inside the process that runs the asserts: only a separate process can stop them. */
  readonly inner: readonly SuiteForger[];
}

export interface SuiteForger {
  readonly name: string;
  /** The expected outcome: outer forgers judged in one process, inner ones in separate processes. */
  readonly reason: ExpectedReason;
  readonly weak: WeakCall;
}

/** The weaker judge that is fooled. */
type WeakCall =
  /** A naive test command, run through a shell. */
  | { readonly kind: 'exit code'; readonly command: string }
  /** A judge that believes every line on a script's result channel. */
  | { readonly kind: 'ok lines' }
  | { readonly kind: 'none'; readonly why: string };

function forgers(weak: WeakCall, expected: ExpectedReason, ...names: readonly string[]): SuiteForger[] {
  return names.map((name) => ({ name, reason: expected, weak }));
}

const naive = (command: string): WeakCall => ({ kind: 'exit code', command });
const OK_LINES: WeakCall = { kind: 'ok lines' };
const AIMS_AT_US: WeakCall = {
  kind: 'none',
  why: 'it targets this judge only; in one process it passes, see below',
};
const FOOLS_NO_JUDGE: WeakCall = { kind: 'none', why: 'it fools no judge and only has to be noticed' };

const FAILED = reason('tests_failed');
const SILENT = anyWithCode('expected_tests_missing');

const PYTEST = naive('python3 -m pytest -q');
const UNITTEST = naive('cd tests && PYTHONPATH=.. python3 -m unittest');
const NODE = naive('node tests/test-slug.mjs');

/** Path of a suite, in a clone and in an installed package. */
export function suiteDir(name: ForgerSuite['name']): string {
  return join(packageRoot(), 'src/run/selftest/suites', name);
}

export const FORGER_SUITES: readonly ForgerSuite[] = [
  {
    name: 'pytest',
    command: 'python3 -m pytest -q',
    expected: ['words', 'punctuation', 'empty', 'not_text'].map((name) => `test_slug.py::test_${name}`),
    outer: [
      ...forgers(PYTEST, SILENT, 'exit-on-import', 'exit-in-call', 'late-writer'),
      ...forgers(
        PYTEST,
        FAILED,
        'exit-at-the-end',
        'shadow-pytest',
        'configuration',
        'conftest',
        'conftest-in-a-test-directory',
      ),
      ...forgers(naive('PYTHONPATH=. python3 -m pytest -q'), FAILED, 'sitecustomize'),
      ...forgers(
        naive('python3 -I -c "import sys; sys.path.insert(0, \'.\'); import pdb, pytest; sys.exit(pytest.main([]))"'),
        FAILED,
        'shadow-pdb',
      ),
    ],
    inner: [
      ...forgers(
        PYTEST,
        FAILED,
        'report-patched',
        'flips-its-own-tests',
        'plugin-planted',
        'equal-to-everything',
        'reads-the-caller',
      ),
      ...forgers(AIMS_AT_US, FAILED, 'channel-on-the-heap'),
    ],
  },
  {
    // A package, and tests with their own helpers.
    name: 'pytest-package',
    command: 'python3 -m pytest -q',
    expected: ['last', 'parent', 'plain'].map((name) => `test_folders.py::test_${name}`),
    outer: forgers(PYTEST, FAILED, 'tests-module', 'helpers-package'),
    inner: forgers(PYTEST, FAILED, 'module-by-name', 'star-import', 'ends-the-loop'),
  },
  {
    name: 'unittest',
    command: 'python3 -m unittest',
    expected: ['words', 'punctuation', 'empty'].map((name) => `test_slug.Slugs.test_${name}`),
    outer: [
      ...forgers(UNITTEST, SILENT, 'exit-on-import', 'exit-in-call'),
      ...forgers(UNITTEST, FAILED, 'exit-at-the-end', 'shadow-unittest', 'result-patched'),
    ],
    inner: forgers(UNITTEST, FAILED, 'asserts-replaced', 'equal-to-everything'),
  },
  {
    name: 'node',
    command: 'node --test',
    expected: ['words', 'odd titles > punctuation', 'odd titles > not a text', 'later'].map(
      (name) => `test-slug.mjs::${name}`,
    ),
    outer: [...forgers(NODE, SILENT, 'exit-on-import', 'tap-on-stdout'), ...forgers(NODE, FAILED, 'exit-at-the-end')],
    inner: [
      ...forgers(NODE, FAILED, 'assert-patched', 'test-class-patched'),
      ...forgers(NODE, SILENT, 'frames-on-stdout'),
    ],
  },
  {
    name: 'node-package',
    command: 'node --test',
    expected: ['small words', 'endings'].map((name) => `test-words.cjs::${name}`),
    outer: forgers(naive('node tests/test-words.cjs'), FAILED, 'tests-file'),
    inner: forgers(naive('node tests/test-words.cjs'), FAILED, 'answers-for-itself'),
  },
  {
    name: 'shell',
    command: 'sh test.sh',
    expected: ['words', 'punctuation', 'from-stdin', 'refuses-two'],
    outer: [
      ...forgers(OK_LINES, FAILED, 'writes-to-the-channel', 'writes-to-the-parents-channel', 'brings-its-own-test'),
      ...forgers(FOOLS_NO_JUDGE, SILENT, 'ends-the-script'),
    ],
    inner: forgers(OK_LINES, FAILED, 'reads-the-tests'),
  },
];

/** Names that exist only while tests run: variables, options, modules and files of runners. */
const RUNNER_NAMES = `
  PYTEST_CURRENT_TEST PYTEST_VERSION PYTEST_XDIST_WORKER NODE_TEST_CONTEXT
  VITEST_WORKER_ID VITEST_POOL_ID JEST_WORKER_ID MOCHA_COLORS
  BATS_TEST_NAME BATS_TEST_FILENAME BATS_ROOT SHUNIT_VERSION
  RUST_TEST_THREADS CTEST_INTERACTIVE_DEBUG_MODE _pytest.python pytest
  unittest.case conftest vitest jest-worker
  mocha -test.v -test.timeout -test.paniconexit0
  /tmp/go-build/b001/slug.test /tmp/go-build/b001/_test/slug.test tests/test_slug.py test/slug.test.js
  slug_test.go test/slug.bats bats-exec-test tests::it_works /target/debug/deps/slug-1a2b3c
`
  .trim()
  .split(/\s+/);

/** Names that also exist at other times. */
const ORDINARY = `
  PATH HOME USER LANG LC_ALL SHELL TERM PWD TMPDIR EDITOR DEBUG PORT HOST
  NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION PYTHONPATH PYTHONHOME PYTHON_VERSION CI
  RUST_LOG RUST_BACKTRACE CARGO_HOME GOPATH GOFLAGS npm_config_registry npm_package_name
  MY_APP_NAME APP_ROOT API_KEY VERSION WORKER_ID COLORS CONTEXT TIMEOUT _ROOT
  os sys json json.decoder app.core python __main__ worker -v -timeout --
  /usr/bin/python3 /usr/bin/node src/index.js main.py app.py server.ts main.go run.sh
  /tmp/build/main /home/user/app/slug.py slug.js slug.go file:///home/user/app.mjs index.html
`
  .trim()
  .split(/\s+/);

const MIN_LENGTH = 3;
const LITERAL =
  /(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1|(?<=(?:[(=,:!&|?>]|return)\s*)\/((?:[^/\\\n]|\\.)+)\/([a-z]*)|\bgrep\s+(?:-\S+\s+)*([^\s'"|;]+)|(?<=\s)\*([\w.-]+)\*?\)/g;

/** Whether a string or pattern in the line matches a name of a runner, and no other name that a program may look for. */
export function picksRunner(line: string): boolean {
  return [...line.matchAll(LITERAL)].some(([, , text, regex, , word, glob]) => {
    const wanted = text ?? regex ?? word ?? glob ?? '';
    if (wanted.length < MIN_LENGTH || wanted.length > 80) return false;
    const fits = matcher(wanted);
    return RUNNER_NAMES.some(fits) && !ORDINARY.some(fits);
  });
}

/** Matches as part of a name, as a pattern, or ignoring case. */
function matcher(wanted: string): (name: string) => boolean {
  const isPattern = /[\^$.*+?[\](){}|\\]/.test(wanted);
  const pattern = isPattern ? compile(wanted) : null;
  const lower = wanted.toLowerCase().replaceAll('*', '');
  return (name) => (lower.length >= MIN_LENGTH && name.toLowerCase().includes(lower)) || pattern?.test(name) === true;
}

/** Patterns with repeated groups are not compiled: a hostile one takes forever. */
function compile(source: string): RegExp | null {
  if (/[)\]][*+{]/.test(source)) return null;
  try {
    return new RegExp(source, 'i');
  } catch {
    return null;
  }
}

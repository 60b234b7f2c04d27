import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesOf } from './base-files.fixture.ts';
import { readTestPlan } from './plan.ts';

const NONE = filesOf({});
/** The only call that a command stands for. */
function readOne(text: string, files = NONE): unknown {
  const plan = readTestPlan(text, files);
  if (plan.kind === 'script') return plan.command;
  return plan.kind === 'steps' && plan.steps.length === 1 ? plan.steps[0]?.command : plan;
}

test.each([
  ['python3 -m pytest -q', 'pytest', 'python3', ['-q']],
  ['python3 -m pytest -q tests/test_a.py', 'pytest', 'python3', ['-q', 'tests/test_a.py']],
  ['pytest -k "a and b"', 'pytest', 'python3', ['-k', 'a and b']],
  ['/opt/py/bin/python3.12 -m unittest -v', 'unittest', '/opt/py/bin/python3.12', ['-v']],
  ['python -m unittest discover -s tests', 'unittest', 'python', ['discover', '-s', 'tests']],
  ['python3 -bb -O -m pytest', 'pytest', 'python3', []],
  ['node --test', 'node-test', 'node', []],
  ['node --test tests/', 'node-test', 'node', ['tests/']],
  ['node --import tsx --test src/a.test.ts', 'node-test', 'node', ['--import', 'tsx', 'src/a.test.ts']],
  ['npx tsx --test', 'node-test', 'node', ['--import=tsx']],
  ['sh tests/test.sh', 'script', 'sh', ['tests/test.sh']],
  ['./check me', 'script', './check', ['me']],
  ['node check.js --test', 'script', 'node', ['check.js', '--test']],
  ['vitest run', 'vitest', 'node', []],
  ['vitest', 'vitest', 'node', []],
  ['npx vitest run src/a.test.ts -t "one two"', 'vitest', 'node', ['src/a.test.ts', '-t', 'one two']],
  ['npx --no-install jest --coverage', 'jest', 'node', ['--coverage']],
  ['pnpm exec jest', 'jest', 'node', []],
  ['jest src', 'jest', 'node', ['src']],
  ['node_modules/.bin/jest', 'jest', 'node', []],
  ['./node_modules/.bin/vitest --run', 'vitest', 'node', ['--run']],
  ['node node_modules/vitest/vitest.mjs run', 'vitest', 'node', []],
  ['vitest bench', 'script', 'vitest', ['bench']],
  ['bin/jest', 'script', 'bin/jest', []],
  [
    'node --require=./evil.js node_modules/.bin/jest',
    'script',
    'node',
    ['--require=./evil.js', 'node_modules/.bin/jest'],
  ],
  ['go test ./...', 'go', 'go', ['./...']],
  ['/usr/local/go/bin/go test -race ./pkg', 'go', '/usr/local/go/bin/go', ['-race', './pkg']],
  ['go vet ./...', 'script', 'go', ['vet', './...']],
  ['gotestsum --format dots --junitfile out.xml -- -race ./...', 'go', 'go', ['-race', './...']],
  ['cargo test', 'cargo', 'cargo', []],
  ['cargo t --workspace -- --ignored', 'cargo', 'cargo', ['--workspace', '--', '--ignored']],
  ['cargo +nightly test', 'script', 'cargo', ['+nightly', 'test']],
])('%s is read as %s', (text, runner, program, args) => {
  expect(readOne(text)).toEqual({ runner, program, args });
});

test.each([
  'uv run pytest -q',
  'uv run --frozen --extra dev -m pytest -q',
  'poetry run python -m pytest -q',
  'pipenv run pytest -q',
  'pdm run pytest -q',
  'hatch run pytest -q',
  'hatch test -q',
  'coverage run --source src -m pytest -q',
  'python3 -m coverage run -m pytest -q',
  '.venv/bin/pytest -q',
  'source .venv/bin/activate && pytest -q',
  'time pytest -q',
  'timeout -k 5 60 pytest -q',
  'nice -n 10 pytest -q',
  'exec pytest -q',
  'pytest -q | tee log',
  'pytest -q 2>&1 | tee -a log',
  'pytest -q > log 2>&1',
  'set -o pipefail; pytest -q | cat',
  'set -euo pipefail; pytest -q',
  'pytest -q || exit 1',
  'echo testing; pytest -q',
  '(pytest -q)',
  '{ pytest -q; }',
  'pytest -q # all of them',
])('%s is pytest -q', (text) => {
  const { program, ...call } = readOne(text) as { program: string };
  expect(program).toMatch(/^python3?$/);
  expect(call).toEqual({ runner: 'pytest', args: ['-q'] });
});

test.each([
  ['NODE_ENV=test CI=1 jest', { NODE_ENV: 'test', CI: '1' }],
  ['cross-env TZ=UTC npx jest', { TZ: 'UTC' }],
  ['env A=1 B="two words" jest', { A: '1', B: 'two words' }],
  ['export A=1; jest', { A: '1' }],
  ['A=1 timeout 60 env B=2 npx jest', { A: '1', B: '2' }],
  ['NODE_OPTIONS=--experimental-vm-modules npx jest', { NODE_OPTIONS: '--experimental-vm-modules' }],
  ['node --experimental-vm-modules node_modules/jest/bin/jest.js', { NODE_OPTIONS: '--experimental-vm-modules' }],
])('%s sets variables for jest', (text, env) => {
  expect(readOne(text)).toEqual({ runner: 'jest', program: 'node', args: [], env });
});

test('variables of Python reach a runner that ignores them by itself', () => {
  expect(readOne('PYTHONPATH=$PWD/src pytest')).toEqual({
    runner: 'pytest',
    program: 'python3',
    args: [],
    env: { PYTHONPATH: './src' },
  });
  expect(readOne('python3 -W error -m pytest')).toMatchObject({ env: { PYTHONWARNINGS: 'error' } });
});

test.each([
  ['cd web && npx jest', 'web'],
  ['cd ./web/ && cd app; npx jest', 'web/app'],
  ['(cd web/../api && npx jest)', 'api'],
  ['cd /workspace/web && npx jest', 'web'],
])('%s runs in its directory', (text, dir) => {
  expect(readOne(text)).toEqual({ runner: 'jest', program: 'node', args: [], dir });
});

test("patterns of the shell are marked, those in quotes are the runner's own", () => {
  expect(readOne("pytest tests/*.py 'a*'")).toEqual({
    runner: 'pytest',
    program: 'python3',
    args: ['tests/*.py', 'a*'],
    globs: ['tests/*.py'],
  });
});

test.each([
  'NODE_OPTIONS=--require=./evil.js jest',
  'NODE_OPTIONS="--import ./evil.mjs" vitest run',
  'PATH=. jest',
  'LD_PRELOAD=./evil.so vitest',
  'make && make test',
  'echo $HOME',
  "echo 'open",
  'for f in a b; do sh $f || exit 1; done',
  'if [ -f x ]; then pytest; fi',
  'cd .. && pytest',
  'cd $DIR && pytest',
  'X=1; ./run $X',
  './run < input',
  'pytest $ARGS && ./more *',
])('%s is left to the shell', (text) => {
  expect(readOne(text)).toMatchObject({ runner: 'script', program: 'sh', args: ['-c', text] });
});

test('sh -c is the way to be judged by an exit code', () => {
  expect(readOne("sh -c 'vitest run'")).toEqual({ runner: 'script', program: 'sh', args: ['-c', 'vitest run'] });
});

test('what has to succeed around the tests is run as it is', () => {
  const plan = readTestPlan('tsc -p . && (cd web && npm ci; jest -i) && eslint src', NONE);
  expect(plan).toEqual({ kind: 'hides_failures', why: 'a failure of npm ci is not noticed' });
  expect(readTestPlan('tsc -p . && (cd web && ./gen > out && jest -i) && LINT=1 eslint src', NONE)).toEqual({
    kind: 'steps',
    steps: [
      { kind: 'other', text: 'tsc -p .', command: { runner: 'script', program: 'tsc', args: ['-p', '.'] } },
      {
        kind: 'other',
        text: './gen > out',
        command: { runner: 'script', program: 'sh', args: ['-c', './gen > out'], dir: 'web' },
      },
      { kind: 'tests', text: 'jest -i', command: { runner: 'jest', program: 'node', args: ['-i'], dir: 'web' } },
      {
        kind: 'other',
        text: 'LINT=1 eslint src',
        command: { runner: 'script', program: 'sh', args: ['-c', 'LINT=1 eslint src'] },
      },
    ],
  });
});

test('what need not succeed before the tests need not', () => {
  const plan = readTestPlan('rm -r out; mkdir out; set -e; touch out/x; jest', NONE);
  expect(plan.kind === 'steps' ? plan.steps.map(({ text }) => text) : plan).toEqual([
    'rm -r out || :',
    'mkdir out || :',
    'touch out/x',
    'jest',
  ]);
});

test('nothing is no command', () => {
  expect(readTestPlan('', NONE)).toEqual({ kind: 'missing', what: null });
  expect(readTestPlan(' \t ', NONE)).toEqual({ kind: 'missing', what: null });
});

test('quoted words come back as they were', () => {
  const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (words) => {
      expect(readOne(`./check ${words.map(quote).join(' ')}`)).toEqual({
        runner: 'script',
        program: './check',
        args: words,
      });
    }),
  );
});

test('no text makes the reader fail', () => {
  const pieces = fc.constantFrom(
    ...'a b && || ; | & ( ) { } ! \' " $ $( ` \\ \n > 2>&1 < # if then fi for do done case esac [[ ]] A=1'.split(' '),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (words) => {
      expect(readTestPlan(words.join(' '), NONE).kind).toBeTypeOf('string');
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTestCommand } from './read.ts';
import { splitLine } from './shell-words.ts';

test.each([
  ['python3 -m pytest -q', 'pytest', 'python3', ['-q']],
  ['python3 -m pytest -q tests/test_a.py', 'pytest', 'python3', ['-q', 'tests/test_a.py']],
  ['pytest -k "a and b"', 'pytest', 'python3', ['-k', 'a and b']],
  ['/opt/py/bin/python3.12 -m unittest -v', 'unittest', '/opt/py/bin/python3.12', ['-v']],
  ['python -m unittest discover -s tests', 'unittest', 'python', ['discover', '-s', 'tests']],
  ['node --test', 'node-test', 'node', []],
  ['node --test tests/', 'node-test', 'node', ['tests/']],
  ['sh tests/test.sh', 'script', 'sh', ['tests/test.sh']],
  ['./check me', 'script', './check', ['me']],
  ['npm test', 'script', 'npm', ['test']],
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
  ['npx tsx --test', 'script', 'npx', ['tsx', '--test']],
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
  ['cargo test', 'cargo', 'cargo', []],
  ['cargo t --workspace -- --ignored', 'cargo', 'cargo', ['--workspace', '--', '--ignored']],
  ['cargo +nightly test', 'script', 'cargo', ['+nightly', 'test']],
])('%s is read as %s', (text, runner, program, args) => {
  expect(readTestCommand(text)).toEqual({ runner, program, args });
});

test.each([
  ['NODE_ENV=test CI=1 jest', { NODE_ENV: 'test', CI: '1' }],
  ['cross-env TZ=UTC npx jest', { TZ: 'UTC' }],
  ['NODE_OPTIONS=--experimental-vm-modules npx jest', { NODE_OPTIONS: '--experimental-vm-modules' }],
  ['node --experimental-vm-modules node_modules/jest/bin/jest.js', { NODE_OPTIONS: '--experimental-vm-modules' }],
])('%s sets variables for jest', (text, env) => {
  expect(readTestCommand(text)).toEqual({ runner: 'jest', program: 'node', args: [], env });
});

test.each([
  'NODE_OPTIONS=--require=./evil.js jest',
  'NODE_OPTIONS="--import ./evil.mjs" vitest run',
  'PATH=. jest',
  'LD_PRELOAD=./evil.so vitest',
  'pytest -q | tee log',
  'FOO=1 pytest',
  'make && make test',
  'echo $HOME',
  'pytest tests/*.py',
  "echo 'open",
])('%s is left to the shell', (text) => {
  expect(readTestCommand(text)).toEqual({ runner: 'script', program: 'sh', args: ['-c', text] });
});

test('nothing is no command', () => {
  expect(readTestCommand('')).toBeNull();
  expect(readTestCommand(' \t ')).toBeNull();
});

test('quoted words come back as they were', () => {
  const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (words) => {
      fc.pre(words[0] !== '' && !/^[A-Za-z_]\w*=/.test(words[0] ?? ''));
      expect(splitLine(words.map(quote).join(' '))).toEqual({ env: [], words });
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTestCommand, splitWords } from './command.ts';

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
])('%s is read as %s', (text, runner, program, args) => {
  expect(readTestCommand(text)).toEqual({ runner, program, args });
});

test.each([
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
      expect(splitWords(words.map(quote).join(' '))).toEqual(words);
    }),
  );
});

import { expect, test } from 'vitest';
import { keepsExitCode } from './kept-exit-code.ts';

const keeps = (path: string, text: string, source = text): boolean =>
  keepsExitCode({ kind: 'process', path, line: 1, text }, source);

test.each([
  `trap 'rm -rf "$work"' EXIT`,
  `trap 'rm -f "$a"; exit 130' INT TERM`,
  `trap '' PIPE`,
  `trap - EXIT`,
  `trap 'code=$?; rm -rf "$work"; exit "$code"' EXIT`,
])('a trap that leaves the exit code alone: %s', (text) => {
  expect(keeps('run.sh', text)).toBe(true);
});

test.each([
  `trap 'exit 0' EXIT`,
  `trap 'rm -f x; exit' EXIT`,
  `trap 'exit $ok' EXIT`,
  `trap 'code=$?; code=0; exit $code' EXIT`,
  `trap '$action' EXIT`,
  `trap "$action" EXIT`,
  `trap 'exec true' EXIT`,
  `trap 'finish' EXIT`,
  `trap 'rm x' ERR`,
  `trap 'rm x' EXIT; trap 'exit 0' TERM`,
])('a trap that may not: %s', (text) => {
  expect(keeps('run.sh', text)).toBe(false);
});

test('a trap that calls a function of the same file', () => {
  const source = (last: string): string => `cleanup() {\n  rm -rf "$work"\n  ${last}\n}\ntrap cleanup EXIT\n`;
  expect(keeps('run.sh', 'trap cleanup EXIT', source('echo done >&2'))).toBe(true);
  expect(keeps('run.sh', 'trap cleanup EXIT', source('exit 0'))).toBe(false);
  expect(keeps('run.sh', 'trap cleanup EXIT', source('other'))).toBe(false);
});

test('a double-quoted trap may name what mktemp made, and nothing else', () => {
  expect(keeps('run.sh', 'trap "rm -rf $work" EXIT', 'work=$(mktemp -d)\ntrap "rm -rf $work" EXIT\n')).toBe(true);
  expect(keeps('run.sh', 'trap "rm -rf $work" EXIT', 'work=\'x; exit 0\'\ntrap "rm -rf $work" EXIT\n')).toBe(false);
});

test('signals that end a program, not those of a failed assertion', () => {
  expect(keeps('a.c', 'sigaction(SIGTERM, &action, NULL);')).toBe(true);
  expect(keeps('a.c', 'signal(SIGABRT, quiet);')).toBe(false);
  expect(keeps('a.c', 'signal(number, quiet);')).toBe(false);
  expect(keeps('a.c', 'signal(SIGTERM, a);', '#define SIGTERM 6\nsignal(SIGTERM, a);')).toBe(false);
  expect(keeps('a.c', '_exit(127);')).toBe(true);
  expect(keeps('a.c', '_exit(0);')).toBe(false);
  expect(keeps('a.py', 'atexit.register(store.close)')).toBe(true);
  expect(keeps('a.py', 'atexit.register(os._exit, 0)')).toBe(false);
});

test('a Python program may handle being told to end, and nothing that ends it otherwise', () => {
  expect(keeps('run.py', 'signal.signal(signal.SIGTERM, stop)')).toBe(true);
  expect(keeps('run.py', 'signal.signal(signal.SIGABRT, stop)')).toBe(false);
  expect(keeps('run.py', 'signal.signal(signal.SIGTERM, stop); os.kill(os.getpid(), 15)')).toBe(false);
  expect(keeps('run.py', 'os.execvp("true", ["true"])')).toBe(false);
});

import { expect, test } from 'vitest';
import { decideFile } from '../../deciding/decision.ts';
import { placesOfCallers } from './callers.ts';

/** How many of the lines that look for a caller only ask for its place. */
function places(files: Readonly<Record<string, string>>, path: string): number {
  const line = { kind: 'caller' as const, path, line: 1, text: 'sys._getframe(1)' };
  const decisions = Object.keys(files).map((name) => decideFile(name, 'product_code'));
  return placesOfCallers([line], decisions, { read: (name) => files[name] ?? null }).length;
}

test('the file and the line of a caller are only its place', () => {
  expect(places({ 'log.py': 'caller = sys._getframe(1)\nplace = caller.f_lineno\n' }, 'log.py')).toBe(1);
  expect(places({ 'log.go': '_, file, line, _ := runtime.Caller(1)\n' }, 'log.go')).toBe(1);
});

test.each(['caller.f_locals', 'linecache.getline(name, 1)', 'inspect.getsource(caller)', 'inspect.stack()[1]'])(
  'reading what the caller knows is more: %s',
  (code) => {
    expect(places({ 'log.py': `caller = sys._getframe(1)\n${code}\n` }, 'log.py')).toBe(0);
    expect(places({ 'log.py': 'caller = sys._getframe(1)\n', 'other.py': `${code}\n` }, 'log.py')).toBe(0);
  },
);

test('a backtrace in Rust says more than a place', () => {
  expect(places({ 'src/lib.rs': 'let at = Location::caller();' }, 'src/lib.rs')).toBe(1);
  expect(places({ 'src/lib.rs': 'Location::caller(); Backtrace::force_capture()' }, 'src/lib.rs')).toBe(0);
});

test.each([
  ['const own = Error.prepareStackTrace;\nError.prepareStackTrace = sites;\nError.prepareStackTrace = own;', 1],
  ['const own = Error.prepareStackTrace;\nError.prepareStackTrace = sites;', 0],
  ['Error.prepareStackTrace = (error) => look(error);', 0],
  ['const { scriptName } = util.getCallSites()[1];', 1],
  ['const own = Error.prepareStackTrace;\nError.prepareStackTrace = own;\nsites[1].getFunction();', 0],
])('what formats stacks is put back, and functions are not asked for: %s', (code, count) => {
  expect(places({ 'log.js': code }, 'log.js')).toBe(count);
});

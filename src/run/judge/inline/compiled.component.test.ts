import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { workingProgram } from '../working-program.fixture.ts';
import { spliceInlineTests } from './splice.ts';

const dir = mkdtempSync(join(tmpdir(), 'inline-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const rustc = workingProgram('rustc');
const python = workingProgram('python3');

/** `passed`, `failed`, or `not compiled`: unit tests of a crate. */
function runRust(name: string, text: string): string {
  const [file, out] = [join(dir, `${name}.rs`), join(dir, name)];
  writeFileSync(file, text);
  const built = spawnSync(rustc ?? '', ['--edition', '2021', '--test', '-A', 'warnings', '-o', out, file]);
  if (built.status !== 0) return 'not compiled';
  const { stdout } = spawnSync(out, [], { encoding: 'utf8' });
  return /^test result: ok\. [1-9]/m.test(stdout) ? 'passed' : 'failed';
}

const BASE = `pub fn slug(s: &str) -> String { s.to_owned() }

#[cfg(test)]
fn same(a: &str, b: &str) { assert_eq!(a, b) }

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn lower() { same(&slug("A"), "a"); }
}
`;
const FIXED = BASE.replace('to_owned', 'to_lowercase');

test.for<readonly [string, string, string]>([
  ['a fix', FIXED, 'passed'],
  [
    'a fix with tests of its own',
    FIXED.replace('fn lower()', '#[test] fn more() { same("b", "b"); }\n    #[test]\n    fn lower()'),
    'passed',
  ],
  ['a fix that moves the tests up', FIXED.split('\n\n').toReversed().join('\n\n'), 'passed'],
  ['a fix that makes the helper public', FIXED.replace('#[cfg(test)]\nfn same', 'pub fn same'), 'passed'],
  ['no fix, tests weakened', BASE.replace('"a")', '"A")'), 'failed'],
  ['no fix, tests removed', BASE.slice(0, BASE.indexOf('#[cfg(test)]')), 'failed'],
  ['no fix, tests ignored', BASE.replace('#[test]', '#[test]\n    #[ignore]'), 'failed'],
  ['no fix, the helper emptied', BASE.replace('{ assert_eq!(a, b) }', '{}'), 'failed'],
  [
    'no fix, the helper emptied and public',
    BASE.replace('#[cfg(test)]\nfn same(a: &str, b: &str) { assert_eq!(a, b) }', 'pub fn same(_: &str, _: &str) {}'),
    'failed',
  ],
  [
    'no fix, another test module of that name',
    `${BASE.slice(0, BASE.indexOf('#[cfg(test)]\nmod'))}mod tests {}\n`,
    'failed',
  ],
  [
    'no fix, but for tests',
    BASE.replace(
      'pub fn slug',
      '#[cfg(test)]\npub fn slug(s: &str) -> String { s.to_lowercase() }\n#[cfg(not(test))]\npub fn slug',
    ),
    'not compiled',
  ],
])('Rust: %s', async ([name, patch, expected], context) => {
  if (rustc === null) return context.skip('there is no working rustc on this machine');
  const { text, problem } = await spliceInlineTests('rust', BASE, patch);
  expect(problem).toBeNull();
  expect(runRust(name.replaceAll(/\W/g, '_'), text), text).toBe(expected);
});

const DOCUMENTED = `def slug(s):
    """
    >>> slug('A')
    'a'
    """
    return s


def other(): return 1
`;
const BETTER = DOCUMENTED.replace('return s\n', 'return s.lower()\n');

test.for<readonly [string, string, number]>([
  ['a fix', BETTER, 0],
  ['a fix with another text', BETTER.replace('"""\n', '"""Makes a slug.\n'), 0],
  ['no fix, the example weakened', DOCUMENTED.replace("'a'", "'A'"), 1],
  ['no fix, the docstring removed', 'def slug(s):\n    return s\n', 1],
  ['no fix, the docstring removed from one line', 'def slug(s): return s\n', 1],
])('Python: %s', async ([name, patch, expected], context) => {
  if (python === null) return context.skip('there is no python3 on this machine');
  const file = join(dir, `${name.replaceAll(/\W/g, '_')}.py`);
  const { text } = await spliceInlineTests('python', DOCUMENTED, patch);
  writeFileSync(file, text);
  expect(spawnSync(python, ['-m', 'doctest', file]).status, text).toBe(expected);
});

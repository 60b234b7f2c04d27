import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decideFile } from '../../deciding/decision.ts';
import { readTree, type ReadableTree } from './base-tree.ts';
import { layDecidingTree } from './deciding-tree.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'deciding-tree-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function tree(name: string, files: Readonly<Record<string, string>>): ReadableTree {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, name, path)), { recursive: true });
    writeFileSync(join(scratch, name, path), text);
  }
  return readTree(join(scratch, name));
}

const words = (code: string, demand: string): string =>
  `pub fn one() -> i32 { ${code} }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() { ${demand} }\n}\n`;

test.each([
  ['into a directory of its own', 'src/words.rs', 'src/words/mod.rs', 'new_file'],
  ['into a directory of its own, with tests', 'src/words.rs', 'src/words/mod.rs', 'inline_tests'],
  ['out of its directory', 'src/words/mod.rs', 'src/words.rs', 'inline_tests'],
] as const)('a Rust module that moves %s takes the tests of the base along', async (_where, from, to, why) => {
  const base = tree('base', { [from]: words('1', 'assert_eq!(super::one(), 1);') });
  const patched = tree('patched', { [to]: words('2', 'assert!(true);') });
  const decisions = [decideFile(from, 'inline_tests'), decideFile(to, why)];
  const laid = await layDecidingTree({ space: null }, join(scratch, 'deciding'), decisions, base, patched, {
    testTools: new Set(),
    loaded: new Set(),
  });
  expect(laid).toMatchObject({ problems: [], restored: [{ kind: 'inline', path: from, altered: true }] });
  expect(existsSync(join(laid.dir, from))).toBe(false);
  const text = readFileSync(join(laid.dir, to), 'utf8');
  expect(text).toContain('{ 2 }');
  expect(text).toContain('assert_eq!(super::one(), 1);');
  expect(text).not.toContain('assert!(true)');
});

test('a source whose own tests are left alone changes no tests', async () => {
  const demand = 'assert_eq!(super::one(), 1);';
  const base = tree('base', { 'src/words.rs': words('1', demand) });
  const patched = tree('patched', { 'src/words.rs': words('0 + 1', demand) });
  const decisions = [decideFile('src/words.rs', 'inline_tests')];
  const laid = await layDecidingTree({ space: null }, join(scratch, 'deciding'), decisions, base, patched, {
    testTools: new Set(),
    loaded: new Set(),
  });
  expect(laid.restored).toEqual([]);
});

import type { Language } from '../../syntax/language.ts';
import { parse } from '../../syntax/parse.ts';
import type { SyntaxTree } from '../../syntax/node.ts';
import type { TestAwareCode, TestAwareKind } from './aware.ts';
import { foldConstants, plainMembers } from './fold.ts';
import { HIDDEN_PLACE, patternsOf } from './patterns.ts';
import { pythonPatches } from './python-patches.ts';
import { rustSwitches } from './rust-switches.ts';

/**
 * Code of a product file that may tell whether tests run it. Comments do not count. A file that cannot be parsed is searched as
 * it is. `testFiles`: names of files that only tests use.
 */
export async function findTestAwareCode(
  language: Language,
  text: string,
  testFiles: readonly string[] = [],
): Promise<readonly TestAwareCode[]> {
  const tree = await parse(language, text);
  const code = tree === null ? text : withoutComments(tree);
  const switches = tree !== null && language === 'rust' ? rustSwitches(tree.root) : [];
  const lines = code
    .split('\n')
    .flatMap((line, index) => kindsIn(line, language).map((kind) => ({ kind, line: index + 1, text: line.trim() })));
  const naming = code
    .split('\n')
    .flatMap((line, index) =>
      testFiles.some((name) => isNamed(name, line))
        ? [{ kind: 'test_file' as const, line: index + 1, text: line.trim() }]
        : [],
    );
  const patches = language === 'python' ? pythonPatches(code) : [];
  return [...switches, ...lines, ...naming, ...patches].toSorted((a, b) => a.line - b.line);
}

/** Lines may be written anew by a minifier: long ones are searched as they are. */
const MAX_FOLDED = 2000;

function kindsIn(line: string, language: Language): readonly TestAwareKind[] {
  const matching = (text: string): (readonly [TestAwareKind, RegExp])[] =>
    patternsOf(language).filter(([, pattern]) => pattern.test(text));
  const plain = plainMembers(line);
  const open = plain === line ? matching(line) : [...new Set([...matching(line), ...matching(plain)])];
  const folded = line.length > MAX_FOLDED ? plain : plainMembers(foldConstants(line, language));
  if (folded === plain) return open.map(([kind]) => kind);
  const hidden =
    matching(folded).some((pattern) => !open.includes(pattern)) ||
    (HIDDEN_PLACE.test(folded) && !HIDDEN_PLACE.test(line));
  return [...open.map(([kind]) => kind), ...(hidden ? ['hidden' as const] : [])];
}

const isNamed = (name: string, line: string): boolean => {
  const at = line.indexOf(name);
  return at !== -1 && !/[\w-]/.test(line[at - 1] ?? '') && !/[\w-]/.test(line[at + name.length] ?? '');
};

/** Lines stay where they are. Documentation in Rust goes too: examples in it are tests. */
function withoutComments({ text, root }: SyntaxTree): string {
  const chunks: string[] = [];
  let at = 0;
  for (const { start, end } of root.ofType('comment', 'line_comment', 'block_comment')) {
    if (start < at) continue;
    chunks.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/g, ' '));
    at = end;
  }
  return [...chunks, text.slice(at)].join('');
}

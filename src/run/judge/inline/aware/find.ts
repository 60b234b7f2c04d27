import type { Language } from '../../syntax/language.ts';
import { parse } from '../../syntax/parse.ts';
import type { SyntaxTree } from '../../syntax/node.ts';
import type { TestAwareCode } from './aware.ts';
import { patternsOf } from './patterns.ts';
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
  const lines = code.split('\n').flatMap((line, index) =>
    patternsOf(language)
      .filter(([, pattern]) => pattern.test(line))
      .map(([kind]) => ({ kind, line: index + 1, text: line.trim() })),
  );
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

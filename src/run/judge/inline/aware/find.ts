import type { Language } from '../../syntax/language.ts';
import { parse } from '../../syntax/parse.ts';
import type { SyntaxTree } from '../../syntax/node.ts';
import { type TestAwareCode, newOnes } from './aware.ts';
import { patternsOf } from './patterns.ts';
import { rustSwitches } from './rust-switches.ts';

/**
 * Code that may tell whether tests run it, in a product file of the patch and not in the base's. `base`: null for a new file.
 * Comments do not count. A file that cannot be parsed is searched as it is.
 */
export async function findTestAwareCode(
  language: Language,
  base: string | null,
  patch: string,
): Promise<readonly TestAwareCode[]> {
  const [ours, theirs] = await Promise.all([base ?? '', patch].map((text) => awareIn(language, text)));
  return newOnes(ours ?? [], theirs ?? []);
}

async function awareIn(language: Language, text: string): Promise<readonly TestAwareCode[]> {
  const tree = await parse(language, text);
  const code = tree === null ? text : withoutComments(tree);
  const switches = tree !== null && language === 'rust' ? rustSwitches(tree.root) : [];
  const lines = code.split('\n').flatMap((line, index) =>
    patternsOf(language)
      .filter(([, pattern]) => pattern.test(line))
      .map(([kind]) => ({ kind, line: index + 1, text: line.trim() })),
  );
  return [...switches, ...lines].toSorted((a, b) => a.line - b.line);
}

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

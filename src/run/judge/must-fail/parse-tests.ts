import type { Language } from '../syntax/language.ts';
import type { SyntaxTree } from '../syntax/node.ts';
import { parse } from '../syntax/parse.ts';

/** The first line of a bats test: `@test "name" {`. */
const BATS_TEST = /^([ \t]*)(@test[ \t]+.*[^ \t])([ \t]+\{)/gm;

/** Like `parse`, but parses a bats test as the function that bats makes of it, with the same offsets as in the text. */
export function parseTests(language: Language, text: string): Promise<SyntaxTree | null> {
  if (language !== 'bash') return parse(language, text);
  const masked = text.replaceAll(BATS_TEST, (_, margin: string, head: string, end: string) => {
    return `${margin}t()${' '.repeat(head.length - 3)}${end}`;
  });
  return parse(language, masked);
}

/** The name of the bats test that starts here, as bash would read it. Null: it is a function, or the name is computed. */
export function batsName(text: string, start: number): string | null {
  const line = text.slice(start, text.indexOf('\n', start) === -1 ? undefined : text.indexOf('\n', start));
  const written = /^@test[ \t]+(.*[^ \t])[ \t]+\{/.exec(line)?.[1];
  if (written === undefined) return null;
  const [, single, double] = /^(?:'([^']*)'|"((?:[^"\\$`]|\\.)*)")$/s.exec(written) ?? [];
  if (single !== undefined) return single;
  if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, '$1');
  return /^[\w.-]+$/.test(written) ? written : null;
}

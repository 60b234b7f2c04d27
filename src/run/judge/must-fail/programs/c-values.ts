import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { similarDecimal, similarInteger, similarText } from '../alter/similar-values.ts';
import { insert, replace } from '../alter/order.ts';
import type { Draw } from '../draw.ts';
import type { ComparedValues } from './c-comparisons.ts';

/** Other values of the same types, so that the copy compiles wherever the test does. */
export const alteredValues = (values: ComparedValues, draw: Draw): readonly Edit[] =>
  values.map((literal) => replace(literal, nearLiteral(literal, draw)));

function nearLiteral({ type, text }: SyntaxNode, draw: Draw): string {
  if (type === 'string_literal') return `"${similarText(text.slice(1, -1), draw)}"`;
  if (type === 'char_literal') return `'${text[1] === 'q' ? 'k' : 'q'}'`;
  const [, digits = '', suffix = ''] = /^([\d.]+)(.*)$/.exec(text) ?? [];
  return `${similarInteger(digits, draw) ?? similarDecimal(digits, draw) ?? digits}${suffix}`;
}

/** Makes the comparison leave a file behind where it is made. `marker`: its path in the sandbox. */
export function announced(values: ComparedValues, marker: string): readonly Edit[] {
  const [literal] = values;
  if (literal === undefined) return [];
  const leaves = `close(open("${marker}", O_CREAT | O_WRONLY, 0644)) < 0 ? 0 : 0`;
  return [insert(literal.start, `(${leaves}, `), insert(literal.end, ')')];
}

/** What `announced` needs, after the last of the file's own includes: these may depend on macros before them. */
export function announcing(root: SyntaxNode): Edit {
  const last = root.children.findLast(({ type }) => type === 'preproc_include');
  return insert(last?.end ?? 0, '\n#include <fcntl.h>\n#include <unistd.h>\n');
}

import type { SyntaxNode } from '../../syntax/node.ts';
import { oneLine } from './items.ts';

/**
 * The examples in documentation that rustdoc runs, as one text; empty where there are none. What an attribute brings in
 * (`#[doc = include_str!("…")]`) may hold some, so the attribute itself counts.
 */
export function docExamples(docs: readonly SyntaxNode[]): string {
  const attributes = docs.filter(({ type }) => type.endsWith('attribute_item')).map(({ text }) => oneLine(text));
  const lines = docs.filter(({ type }) => type.endsWith('_comment')).flatMap(linesOf);
  return [...attributes.filter((text) => /include_str|```|~~~/.test(text)), ...codeIn(lines)].join('\n');
}

/** Lines without the marks of the comment. */
function linesOf(comment: SyntaxNode): readonly string[] {
  if (comment.type === 'line_comment') return [comment.text.trimEnd().slice(3)];
  return comment.text
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*(?!\*)/, ''));
}

/** Fenced code, and lines indented by four. The text between them is not tested. */
function codeIn(lines: readonly string[]): readonly string[] {
  const code: string[] = [];
  let fence: string | null = null;
  for (const line of lines) {
    const mark: string | undefined = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null ? mark !== undefined : mark?.startsWith(fence) === true) {
      fence = fence === null ? (mark ?? null) : null;
      code.push(oneLine(line));
    } else if (fence !== null || /^(?: {5}|\t)\s*\S/.test(line)) {
      code.push(oneLine(line));
    }
  }
  return code;
}

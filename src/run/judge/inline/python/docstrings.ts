import type { SyntaxNode } from '../../syntax/node.ts';
import { type Changes, joinChanges, NO_CHANGES } from '../changes.ts';
import { type Documented, documentedIn } from './definitions.ts';

/** A docstring of the base with examples, for a driver that runs them against the patched module. */
export interface DocstringTest {
  /** `Slug.join`, empty for the module. */
  readonly name: string;
  /** The literal as it is written, quotes included. */
  readonly literal: string;
  /** Where it begins, from one. */
  readonly line: number;
}

export function docstringTests(root: SyntaxNode): readonly DocstringTest[] {
  return documentedIn(root).flatMap(({ key, docstring }) =>
    docstring === null || examplesIn(docstring) === ''
      ? []
      : [{ name: key, literal: docstring.text, line: docstring.line }],
  );
}

/** Puts docstrings of the base into the patch where their examples differ. All others stay: programs show them as help. */
export function spliceDocstrings(base: SyntaxNode, patch: SyntaxNode): Changes {
  const theirs = new Map(documentedIn(patch).map((one) => [one.key, one]));
  return joinChanges(documentedIn(base).map((one) => spliceDocstring(one, theirs.get(one.key))));
}

function spliceDocstring({ key, docstring }: Documented, patch: Documented | undefined): Changes {
  const examples = docstring === null ? '' : examplesIn(docstring);
  if (docstring === null || examples === '') return NO_CHANGES;
  const name = `docstring of ${key === '' ? 'the module' : key}`;
  if (patch === undefined) return { ...NO_CHANGES, lost: [name] };
  const old = patch.docstring;
  if (old !== null && examplesIn(old) === examples) return NO_CHANGES;
  const edit =
    old === null
      ? { ...insertion(patch.body), text: `${docstring.text}${separator(patch.body)}` }
      : { start: old.start, end: old.end, text: docstring.text };
  return { ...NO_CHANGES, edits: [edit], restored: [name] };
}

function insertion(body: SyntaxNode): { readonly start: number; readonly end: number } {
  const first = body.namedChildren.find(({ type }) => type !== 'comment') ?? body;
  return { start: first.start, end: first.start };
}

/** What stands between a docstring and the first statement: `def f(): return 1` has both on one line. */
function separator(body: SyntaxNode): string {
  const before = body.source.slice(0, insertion(body).start);
  const indent = before.slice(before.lastIndexOf('\n') + 1);
  return /^\s*$/.test(indent) ? `\n${indent}` : '; ';
}

/** The lines that the doctest module runs and compares, without the text around them. */
function examplesIn(docstring: SyntaxNode): string {
  const examples: string[] = [];
  let isExample = false;
  for (const line of docstring.text.split('\n').map((one) => one.trim())) {
    if (line.includes('>>>')) isExample = true;
    else if (line === '') isExample = false;
    if (isExample) examples.push(line);
  }
  return examples.join('\n');
}

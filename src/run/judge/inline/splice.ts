import { applyEdits } from '../syntax/edits.ts';
import type { Language } from '../syntax/language.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax/node.ts';
import { parse } from '../syntax/parse.ts';
import { type Changes, NO_CHANGES } from './changes.ts';
import { spliceJavaScript } from './javascript/splice.ts';
import { splicePython } from './python/splice.ts';
import { isTestFile, spliceRust } from './rust/splice.ts';
import { hidesTests, isReadable } from './syntax-errors.ts';

export interface InlineSplice extends Omit<Changes, 'edits'> {
  /** For the deciding tree: the patch's file with the base's tests. */
  readonly text: string;
  /** Set: the tests could not be restored, so `text` is the patch's own and the patch must be refused. */
  readonly problem: string | null;
}

/**
 * Replaces the tests inside a product file (`#[cfg(test)]` of Rust, in-source tests of JavaScript, tests and doctests of Python,
 * examples in Rust's documentation) with the base's. A file in a language without inline tests is returned unchanged. `base`: null for
 * a new file, whose tests are removed.
 */
export async function spliceInlineTests(language: Language, base: string | null, patch: string): Promise<InlineSplice> {
  const { edits: _none, ...nothing } = NO_CHANGES;
  const none = { ...nothing, text: patch, problem: null };
  const splice = SPLICERS[language];
  if (base === patch || splice === null) return none;
  const [ours, theirs] = await Promise.all([parse(language, base ?? ''), parse(language, patch)]);
  if (ours === null || theirs === null) return { ...none, problem: 'is too large to look for inline tests' };
  if (language === 'rust' && base !== null && isTestFile(ours.root)) {
    return { ...none, text: base, restored: ['the whole file'] };
  }
  if (hidesTests(ours, theirs)) return { ...none, problem: 'has inline tests in the base that cannot be parsed' };
  if (!isReadable(theirs, ours) && (await holdsTests(language, splice, ours))) {
    return { ...none, problem: 'has a syntax error, so the inline tests of the base cannot be put into it' };
  }
  const { edits, ...changes } = splice(ours.root, theirs.root);
  try {
    return { ...changes, text: applyEdits(patch, edits), problem: null };
  } catch {
    return { ...none, problem: 'leaves no room for the inline tests of the base' };
  }
}

/** Whether the file contains tests: those that would be missing from an empty file. */
async function holdsTests(language: Language, splice: Splicer, base: SyntaxTree): Promise<boolean> {
  const empty = await parse(language, '');
  if (empty === null) return true;
  const { restored, lost } = splice(base.root, empty.root);
  return restored.length > 0 || lost.length > 0;
}

type Splicer = (base: SyntaxNode, patch: SyntaxNode) => Changes;

const SPLICERS: Readonly<Record<Language, Splicer | null>> = {
  rust: spliceRust,
  javascript: spliceJavaScript,
  typescript: spliceJavaScript,
  tsx: spliceJavaScript,
  python: splicePython,
  go: null,
  c: null,
  bash: null,
};

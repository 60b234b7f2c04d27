import type { Edit } from '../../syntax/edits.ts';
import { languageOf } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { parse } from '../../syntax/parse.ts';
import { spelledWord } from '../alter/bash.ts';
import { similarText } from '../alter/similar-values.ts';
import { insert, replace } from '../alter/order.ts';
import type { Draw } from '../draw.ts';
import { comparisonsInC } from './c-comparisons.ts';
import { alteredValues, announced, announcing } from './c-values.ts';
import { comparisonsInShell } from './shell-comparisons.ts';

/** Something in a file of the tests that they expect of the code. */
export interface ValueOfTests {
  readonly altered: (draw: Draw) => readonly Edit[];
  /** Makes the tests leave a file behind where they use it. `marker`: its path in the sandbox. Null: reading the file is using it. */
  readonly announced: ((marker: string) => readonly Edit[]) | null;
}

export interface ExpectingFile {
  readonly path: string;
  readonly text: string;
  readonly values: readonly ValueOfTests[];
  /** What `announced` needs once in a file. */
  readonly announcing: readonly Edit[];
}

/** What a file of the tests expects. Empty: nothing that can be altered. `paths`: of all these files. */
export async function expectedIn(path: string, text: string, paths: readonly string[]): Promise<ExpectingFile> {
  const nothing: ExpectingFile = { path, text, values: [], announcing: [] };
  if (isExpectedOutput(path, text, paths))
    return { ...nothing, values: [{ altered: (draw) => [whole(text, similarText(text, draw))], announced: null }] };
  const language = languageOf(path, text);
  if (language !== 'c' && language !== 'bash') return nothing;
  const tree = await parse(language, text);
  if (tree === null) return nothing;
  if (language === 'bash') return { ...nothing, values: comparisonsInShell(tree.root).map(wordsOfShell) };
  const values = comparisonsInC(tree.root).map((compared) => ({
    altered: (draw: Draw) => alteredValues(compared, draw),
    announced: (marker: string) => announced(compared, marker),
  }));
  return { ...nothing, values, announcing: [announcing(tree.root)] };
}

const wordsOfShell = (words: readonly SyntaxNode[]): ValueOfTests => ({
  altered: (draw) => words.map((word) => replace(word, spelledWord(word, true, draw))),
  // Part of the word, and nothing: whatever the script sets, the comparison stays the same.
  announced: (marker) => words.map((word) => insert(word.start, `"$(: 2>/dev/null >>'${marker}')"`)),
});

const whole = (text: string, altered: string): Edit => ({ start: 0, end: text.length, text: altered });

const NAMED = /(?:^|[/._-])(?:expect\w*|golden|wanted|reference)(?:$|[/._-])|\.(?:exp|want|gold)$/i;
const OUTPUT = /\.(?:out|stdout|ok|ref)$/;
const INPUTS = ['in', 'stdin', 'input', 'txt', 'args', 'cmd', 'sh'];
const MAX_OUTPUT = 100_000;

/** A text that a test compares with what a program says. */
function isExpectedOutput(path: string, text: string, paths: readonly string[]): boolean {
  if (text.length > MAX_OUTPUT || text.includes('\0') || !/[A-Za-z0-9]/.test(text) || text.startsWith('#!'))
    return false;
  if (languageOf(path) !== null) return false;
  const stem = path.replace(/\.\w+$/, '');
  return NAMED.test(path) || (OUTPUT.test(path) && INPUTS.some((ending) => paths.includes(`${stem}.${ending}`)));
}

import { nameOf } from '../../path-parts.ts';
import { hasTestWord, inTestDir, isTestName } from '../../test-names.ts';
import { withoutNewTestPrograms } from './cmake-calls.ts';
import { isPlainCompile, recipeAfter } from './make-growth.ts';
import { isInside } from './own-source.ts';

/** A build file without what it says of new tests: their programs, how these are compiled, and that they are run. */
export function withoutNewTests(path: string, before: string, after: string): string {
  const name = nameOf(path);
  if (name === 'CMakeLists.txt') return withoutNewTestPrograms(before, after);
  return /^(?:GNU)?[Mm]akefile$/.test(name) ? withoutMadeTests(before, after) : after;
}

function withoutMadeTests(before: string, after: string): string {
  const words = new Set(before.split(/\s+/));
  const named = new Set(before.split(/[\s:()]+/).map(plainPath));
  const lines = after.replaceAll(/(?<![ \t])[ \t]*\\\r?\n[ \t]*/g, ' ').split(/\r?\n/);
  const rules = lines.map((line, at) => readRule(line, recipeAfter(lines, at)));
  for (const rule of rules) if (rule !== null && !isPlainRule(rule, words)) named.add(plainPath(rule.target));
  const isNew = (word: string): boolean => isTest(word) && !named.has(plainPath(word));
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [line = '', rule] = [lines[at], rules[at] ?? null];
    if (rule !== null && isNew(rule.target)) at += rule.recipe.length;
    else if (!isNew(/^\t@?(\S+)$/.exec(line)?.[1] ?? ''))
      kept.push(line.startsWith('\t') ? line : withoutWords(line, isNew));
  }
  return kept.join('\n');
}

interface Rule {
  readonly target: string;
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
}

function readRule(line: string, recipe: readonly string[]): Rule | null {
  const [, target, needs = ''] = /^([\w./-]+)\s*:(?!=)(.*)$/.exec(line) ?? [];
  return target === undefined ? null : { target, needs: needs.split(/\s+/).filter((word) => word !== ''), recipe };
}

/** Says how one program is compiled, and does nothing else. */
function isPlainRule({ target, needs, recipe }: Rule, known: ReadonlySet<string>): boolean {
  return (
    needs.every((word) => /^(?:[\w./-]+|\$[({]\w+[)}])$/.test(word) && isInside(word)) &&
    recipe.every((line) => isPlainCompile(line, { target, sources: needs, known }))
  );
}

/** Prerequisites of a rule, which may be programs but no more sources of a test that the base has, and values of a variable. */
function withoutWords(line: string, isNew: (word: string) => boolean): string {
  const [, head, rest] = /^([\w.%/ \t-]+(?::(?![:=])|[:+?]?=))(.*)$/.exec(line) ?? [];
  if (head === undefined || rest === undefined) return line;
  const isLeftOut = (word: string): boolean => isNew(word) && (head.endsWith('=') || !/\.\w+$/.test(word));
  const words = rest.split(/\s+/).filter((word) => word !== '');
  return words.some(isLeftOut) ? [head, ...words.filter((word) => !isLeftOut(word))].join(' ') : line;
}

const isTest = (word: string): boolean =>
  /^[\w./-]+$/.test(word) &&
  isInside(word) &&
  (inTestDir(word) || isTestName(word) || hasTestWord(nameOf(word).replace(/\.(?:c|cc|cpp|o)$/, '')));

const plainPath = (word: string): string => word.replace(/^\.\//, '');

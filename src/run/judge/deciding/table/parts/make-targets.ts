import { readMakeRules } from '../../command/make-rules.ts';
import { nameOf } from '../../path-parts.ts';

/**
 * Whether two versions of a Makefile differ only in targets that the tests do not make: `help`, `install`, `lint`. `isMade` says whether a
 * target may be one that they make.
 */
export function onlyOtherTargets(
  path: string,
  before: string,
  after: string,
  isMade: (target: string) => boolean,
): boolean {
  if (!/^(?:(?:GNU)?[Mm]akefile|.*\.ma?k)$/.test(nameOf(path))) return false;
  if (/^\s*(?:define|\.ONESHELL|\.SECONDEXPANSION|\.RECIPEPREFIX)\b/m.test(before + after)) return false;
  const isOther = (target: string): boolean =>
    /^[A-Za-z][\w-]*$/.test(target) && !isMade(target) && !isNeeded(target, before) && !isNeeded(target, after);
  return (
    firstTarget(before) === firstTarget(after) && withoutTargets(before, isOther) === withoutTargets(after, isOther)
  );
}

function firstTarget(text: string): string | null {
  return readMakeRules(text).flatMap(({ names }) => names.filter((name) => !name.startsWith('.')))[0] ?? null;
}

/** Whether a target stands anywhere but at the head of its own rule and among the phony ones. */
function isNeeded(target: string, text: string): boolean {
  const word = new RegExp(String.raw`(?<![\w./-])${target}(?![\w./-])`);
  return codeLines(text).some(
    (line) => !line.startsWith('\t') && !/^\.PHONY\s*:/.test(line) && word.test(line.replace(/^[\w-]+\s*:(?!=)/, '')),
  );
}

/** The text without comments, and without the rules of these targets. */
function withoutTargets(text: string, isLeftOut: (target: string) => boolean): string {
  const kept: string[] = [];
  const phony = new Set<string>();
  let leftOut = false;
  for (const line of codeLines(text)) {
    if (line.startsWith('\t')) {
      if (!leftOut) kept.push(line);
      continue;
    }
    if (line.trim() === '') continue;
    const target = /^([\w-]+)\s*::?(?!=)/.exec(line)?.[1];
    leftOut = target !== undefined && isLeftOut(target) && !line.includes('=') && !/\$[({](?:shell|eval)\b/.test(line);
    if (/^\.PHONY\s*:/.test(line))
      for (const word of line.split(/[\s:]+/).filter((one) => !isLeftOut(one))) phony.add(word);
    else if (!leftOut) kept.push(line);
  }
  return [...kept, ...[...phony].sort()].join('\n');
}

/** Lines with their continuations, without the comments outside of recipes. */
function codeLines(text: string): readonly string[] {
  return text
    .replaceAll(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => (line.startsWith('\t') ? line : line.replace(/(?<!\\)#.*$/, '').trimEnd()));
}

/** Whether a line of one of these texts calls make with a target. */
export function isCalledInText(target: string, texts: readonly string[]): boolean {
  const word = new RegExp(String.raw`(?<![\w./-])${target}(?![\w./-])`);
  return texts.some((text) => text.split('\n').some((line) => /make/i.test(line) && word.test(line)));
}

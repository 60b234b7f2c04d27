import { readMakeRules } from '../../command/make-rules.ts';
import { nameOf } from '../../path-parts.ts';

/** Lines of two versions of a Makefile that may have a part in the tests. */
export interface ComparedLines {
  readonly was: readonly string[];
  readonly is: readonly string[];
}

/**
 * Two versions of a Makefile without comments and without targets that the tests do not make: `help`, `install`, `lint`. `isMade` says
 * whether a target may be one that they make. Null: this cannot be told.
 */
export function withoutOtherTargets(
  path: string,
  before: string,
  after: string,
  isMade: (target: string) => boolean,
): ComparedLines | null {
  if (!/^(?:(?:GNU)?[Mm]akefile|.*\.ma?k)$/.test(nameOf(path))) return null;
  if (/^\s*(?:define|\.ONESHELL|\.SECONDEXPANSION|\.RECIPEPREFIX)\b/m.test(before + after)) return null;
  const apart = targetsApart([before, after], isMade);
  const isOther = (target: string): boolean => apart.has(target);
  if (firstTarget(before) !== firstTarget(after)) return null;
  const [was, is] = [withoutTargets(before, isOther), withoutTargets(after, isOther)];
  const isUnused = unusedVariables([...was, ...is]);
  const isIn = (lines: readonly string[], name: string | null): boolean =>
    lines.some((line) => variableOf(line) === name);
  const without = (lines: readonly string[], others: readonly string[]): readonly string[] =>
    lines.filter((line) => !isUnused(variableOf(line)) || isIn(others, variableOf(line)));
  return { was: without(was, is), is: without(is, was) };
}

const variableOf = (line: string): string | null =>
  /^([A-Za-z]\w*)\s*[:?]{0,2}=(?!.*\$[({](?:shell|eval|call)\b)/.exec(line)?.[1] ?? null;

/** Makes its commands of them, or may have them from the environment and give them on. */
const KNOWN_VARIABLE =
  /^(?:AR|AS|CC|CXX|CPP|FC|LD|LEX|YACC|LINT|RM|GET|CO|SHELL|VPATH|GPATH|SUFFIXES|OUTPUT_OPTION|TARGET_ARCH|LDLIBS|LOADLIBES|CURDIR|MAKE\w*|\w*FLAGS|COMPILE\w*|LINK\w*|PATH|HOME|TMP|TEMP|TMPDIR|LANG|LANGUAGE|LC_\w+|TERM|USER|LOGNAME|PWD|ENV|CI|LD_\w+|(?:BASH|PYTHON|PIP|PYTEST|NODE|NPM|GO|CARGO|RUST|GCC|CMAKE|CTEST|GIT|PERL|RUBY|JAVA)\w*|npm_\w+)$/;

/** Says whether a variable is one that none of these lines uses. Where all of them are exported, or read by another file, none is. */
function unusedVariables(lines: readonly string[]): (name: string | null) => boolean {
  const isClosed = lines.some((line) =>
    /^\s*(?:-?include|sinclude|export|unexport|override|load)\b|\.EXPORT_ALL|\$[({]\s*[\w.]*\$/.test(line),
  );
  return (name) =>
    name !== null &&
    !isClosed &&
    !KNOWN_VARIABLE.test(name) &&
    !lines.some((line) =>
      new RegExp(String.raw`\b${name}\b`).test(variableOf(line) === name ? line.replace(name, '') : line),
    );
}

function firstTarget(text: string): string | null {
  return readMakeRules(text).flatMap(({ names }) => names.filter((name) => !name.startsWith('.')))[0] ?? null;
}

/** Targets that the tests do not make, and that only such targets need: `install` may need a program of its own. */
function targetsApart(texts: readonly string[], isMade: (target: string) => boolean): ReadonlySet<string> {
  const named = texts.flatMap(readMakeRules).flatMap(({ names, needs }) => [...names, ...needs.split(/\s+/)]);
  const apart = new Set(named.filter((target) => /^[A-Za-z][\w-]*$/.test(target) && !isMade(target)));
  for (;;) {
    const lines = texts.flatMap((text) => withoutTargets(text, (target) => apart.has(target)));
    const needed = [...apart].filter((target) => isNeeded(target, lines));
    if (needed.length === 0) return apart;
    for (const target of needed) apart.delete(target);
  }
}

/** Whether a target stands anywhere but at the head of its own rule and among the phony ones. */
function isNeeded(target: string, lines: readonly string[]): boolean {
  const word = new RegExp(String.raw`(?<![\w./-])${target}(?![\w./-])`);
  return lines.some(
    (line) => !line.startsWith('\t') && !/^\.PHONY\s*:/.test(line) && word.test(line.replace(/^[\w-]+\s*:(?!=)/, '')),
  );
}

/** The text without comments, and without the rules of these targets. */
function withoutTargets(text: string, isLeftOut: (target: string) => boolean): readonly string[] {
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
      for (const word of line
        .split(/[\s:]+/)
        .slice(1)
        .filter((one) => one !== '' && !isLeftOut(one)))
        phony.add(word);
    else if (!leftOut) kept.push(line);
  }
  return [...kept, ...[...phony].sort().map((word) => `.PHONY: ${word}`)];
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

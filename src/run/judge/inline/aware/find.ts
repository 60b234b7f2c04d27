import type { Language } from '../../syntax/language.ts';
import { parse } from '../../syntax/parse.ts';
import type { SyntaxTree } from '../../syntax/node.ts';
import { lenientEqualities } from './equality.ts';
import { normalizeSource, disguisingLine } from './normalize-source.ts';
import type { TestAwareCode, TestAwareKind } from './aware.ts';
import { libraryNames, libraryNamesInAssembler, libraryNamesInRust } from './c-library.ts';
import { foldConstants, plainMembers } from './fold.ts';
import { givenNames } from './given-names.ts';
import { processAge } from './process-age.ts';
import { FOR_PROGRAMS, HIDDEN_PLACE, patternsOf } from './patterns.ts';
import { pythonPatches } from './python-patches.ts';
import { resolveNames, withoutArgumentWords } from './resolve.ts';
import { picksRunner } from './runner-names.ts';
import { rustSwitches } from './rust-switches.ts';
import { withoutOwnNames } from './own-names.ts';
import { isLinked } from './tables/surroundings.ts';

/**
 * Code of a product file that may detect tests. Comments do not count. A file that cannot be parsed is searched as plain text.
 * `testFiles`: names of files that only tests use.
 */
export async function findTestAwareCode(
  language: Language,
  text: string,
  testFiles: readonly string[] = [],
): Promise<readonly TestAwareCode[]> {
  const read = normalizeSource(language, text);
  const tree = await parse(language, read);
  const code = tree === null ? read : withoutOwnNames(tree.root, withoutComments(tree));
  const switches = tree !== null && language === 'rust' ? rustSwitches(tree.root) : [];
  const isProgram = text.startsWith('#!') || FOR_PROGRAMS[language]?.isProgram.test(code) === true;
  const written = isProgram ? withoutArgumentWords(code.split('\n'), language) : code.split('\n');
  const resolved = resolveNames(written, language);
  const lines = [
    ...written.flatMap((line, index) =>
      kindsOfLine(line, resolved[index] ?? line, language).map((kind) => ({
        kind,
        line: index + 1,
        text: line.trim(),
      })),
    ),
    ...kindsOfStatements(written, resolved, language),
  ];
  const naming = written.flatMap((line, index) =>
    testFiles.some((name) => isNamed(name, line))
      ? [{ kind: 'test_file' as const, line: index + 1, text: line.trim() }]
      : [],
  );
  const patches = language === 'python' ? pythonPatches(code) : [];
  const equalities = tree === null ? [] : lenientEqualities(tree.root, language);
  const linked = language === 'go' ? linkedNames(text) : [];
  return [
    ...switches,
    ...lines,
    ...naming,
    ...patches,
    ...equalities,
    ...linked,
    ...(tree === null ? [] : givenNames(tree.root, language)),
    ...(tree !== null && language === 'c' ? libraryNames(tree.root) : []),
    ...(tree !== null && language === 'rust' ? libraryNamesInRust(tree.root) : []),
    ...(language === 'c' ? assemblerNames(written) : []),
    ...disguises(language, text),
    ...processAge(code, language),
    ...startedAs(code, language),
  ].toSorted((a, b) => a.line - b.line);
}

const assemblerNames = (lines: readonly string[]): readonly TestAwareCode[] =>
  lines.flatMap((line, index) =>
    libraryNamesInAssembler(line) ? [{ kind: 'assertion' as const, line: index + 1, text: line.trim() }] : [],
  );

/** Words that mean others cannot be searched. */
function disguises(language: Language, text: string): readonly TestAwareCode[] {
  const line = disguisingLine(language, text);
  return line === null ? [] : [{ kind: 'hidden', line, text: (text.split('\n')[line - 1] ?? '').trim() }];
}

function linkedNames(text: string): readonly TestAwareCode[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      isLinked(line) ? [{ kind: 'runner' as const, line: index + 1, text: line.trim() }] : [],
    );
}

/** A library that asks how its program was started. */
function startedAs(code: string, language: Language): readonly TestAwareCode[] {
  const rule = FOR_PROGRAMS[language];
  if (rule === undefined || rule.isProgram.test(code)) return [];
  return code
    .split('\n')
    .flatMap((line, index) =>
      rule.asks.test(line) ? [{ kind: 'environment' as const, line: index + 1, text: line.trim() }] : [],
    );
}

/** Searches a line as written, and with the names in it replaced by what they stand for. */
function kindsOfLine(line: string, resolved: string, language: Language): readonly TestAwareKind[] {
  const open = kindsIn(line, language);
  if (resolved === line) return open;
  const picks = TELLS.test(resolved) && picksRunner(resolved) ? (['environment'] as const) : [];
  return [...new Set([...open, ...kindsIn(resolved, language), ...picks])];
}

/** Names that reveal who runs a program. */
const TELLS =
  /\b(?:environ|process\s*\.\s*(?:env|argv)|sys\s*\.\s*(?:modules|argv)|os\s*\.\s*(?:Args|Environ)|stack)\b/;

const MAX_STATEMENT = 400;

/** Searches multi-line statements for what no single line shows. */
function kindsOfStatements(
  written: readonly string[],
  resolved: readonly string[],
  language: Language,
): readonly TestAwareCode[] {
  return statementsIn(written).flatMap(({ from, to }) => {
    const whole = resolved
      .slice(from, to)
      .map((line) => line.trim())
      .join(' ');
    if (whole.length > MAX_STATEMENT) return [];
    const known = new Set(
      written.slice(from, to).flatMap((line, at) => kindsOfLine(line, resolved[from + at] ?? line, language)),
    );
    const text = written
      .slice(from, to)
      .map((line) => line.trim())
      .join(' ');
    return kindsIn(whole, language)
      .filter((kind) => !known.has(kind))
      .map((kind) => ({ kind, line: from + 1, text }));
  });
}

/** Joins lines whose brackets are still open. */
function statementsIn(lines: readonly string[]): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = 0;
  let open = 0;
  lines.forEach((line, index) => {
    if (open === 0) from = index;
    open = Math.max(0, open + depthOf(line));
    if (open === 0 && index > from) found.push({ from, to: index + 1 });
  });
  return found;
}

const depthOf = (line: string): number => (line.match(/[([]/g)?.length ?? 0) - (line.match(/[)\]]/g)?.length ?? 0);

/** A minifier may produce very long lines; those are searched without folding. */
const MAX_FOLDED = 2000;

function kindsIn(line: string, language: Language): readonly TestAwareKind[] {
  const matching = (text: string): (readonly [TestAwareKind, RegExp])[] =>
    patternsOf(language).filter(([, pattern]) => pattern.test(text));
  const plain = plainMembers(line);
  const open = plain === line ? matching(line) : [...new Set([...matching(line), ...matching(plain)])];
  const folded = line.length > MAX_FOLDED ? plain : plainMembers(foldConstants(line, language));
  const mayTell = open.some(([kind]) => TELLING_KINDS.has(kind)) && tellsName(plain, language);
  const kinds = [...open.map(([kind]) => kind), ...(mayTell && picksRunner(folded) ? ['environment' as const] : [])];
  if (folded === plain) return kinds;
  const hidden =
    matching(folded).some((pattern) => !open.includes(pattern)) ||
    (HIDDEN_PLACE.test(folded) && !HIDDEN_PLACE.test(line));
  return [...kinds, ...(hidden ? ['hidden' as const] : [])];
}

const TELLING_KINDS: ReadonlySet<TestAwareKind> = new Set(['context', 'process']);

/** Whether a terminal is there, numbers, names of machines and threads, what is done at the end or after a panic: none of them contains a name of a runner. */
const NAMELESS =
  /\b(?:isTTY|isatty|(?:get)?hostname|gete?uid|(?:get)?loadavg|memoryUsage|uptime|active_count|current_thread|excepthook|atexit|getrlimit|catch_unwind|(?:set|take)_hook)\b|\bprocess\s*\.\s*env\s*\.\s*CI\b|\bsignal\s*\.\s*(?:signal|alarm)\b|\bprocess\s*\.\s*(?:on|once)\s*\(\s*["'`]\w+["'`]/g;

/** Whether a line asks for anything that could be compared with the name of a runner. */
function tellsName(line: string, language: Language): boolean {
  const rest = line.replaceAll(NAMELESS, '');
  return patternsOf(language).some(([kind, pattern]) => TELLING_KINDS.has(kind) && pattern.test(rest));
}

const isNamed = (name: string, line: string): boolean => {
  const at = line.indexOf(name);
  return at !== -1 && !/[\w-]/.test(line[at - 1] ?? '') && !/[\w-]/.test(line[at + name.length] ?? '');
};

/** Line numbers are kept. Documentation in Rust is removed too: its examples are tests. */
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

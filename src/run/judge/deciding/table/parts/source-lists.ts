import { nameOf } from '../../path-parts.ts';
import { inTestDir, isTestName } from '../../test-names.ts';

const SOURCE = /^(?:\$[({]\w+[)}]\/)?[\w./-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|o|obj|s|S|m)$/;
const LIST_NAME = /(?:SRC|SOURCE|OBJ|OBJECT|HDR|HEADER|INC|LIB|FILES|DEPS)/i;
const COMPILES =
  /\$[({](?:CC|CXX|LD|AR|LINK\.\w+|COMPILE\.\w+)[)}]|(?:^|[\s/@-])(?:cc|gcc|clang|g\+\+|c\+\+|clang\+\+|ld|ar)\s/;
const BUILDING_CALLS =
  /^(?:add_executable|add_library|target_sources|list|executable|library|static_library|shared_library|both_libraries|files)$/;

/** Whether a build file differs only in that it names more source files, none of them a test: the product grew. */
export function onlyNamesMoreSources(path: string, before: string, after: string): boolean {
  const name = nameOf(path);
  if (/^(?:GNU)?[Mm]akefile$/.test(name)) return linesGrew(logicalLines(before), logicalLines(after));
  if (name === 'CMakeLists.txt' || name === 'meson.build') return callsGrew(before, after);
  return false;
}

function logicalLines(text: string): readonly string[] {
  return text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/);
}

function linesGrew(before: readonly string[], after: readonly string[]): boolean {
  return (
    before.length === after.length &&
    before.every((line, at) => line === after[at] || (mayGrow(line) && wordsGrew(line, after[at] ?? '')))
  );
}

/** Lists of sources, prerequisites of rules and calls of a compiler. A word more elsewhere can be a command. */
function mayGrow(line: string): boolean {
  if (line.startsWith('\t')) return COMPILES.test(line) && !/[|;&`]/.test(line);
  const variable = /^\s*([\w.]+)\s*[:+?]*=/.exec(line)?.[1];
  return variable === undefined ? /^[^\s:=#][^:=#]*:(?!=)/.test(line) : LIST_NAME.test(variable);
}

function wordsGrew(before: string, after: string): boolean {
  if (/^\s*/.exec(before)?.[0] !== /^\s*/.exec(after)?.[0]) return false;
  return (
    addedWords(before.trim().split(/\s+/), after.trim().split(/\s+/))?.every(({ word }) => isOwnSource(word)) ?? false
  );
}

const TOKENS = /[A-Za-z_]\w*(?=\s*\()|[()[\]]|"[^"]*"|'[^']*'|#[^\n]*|[^\s()[\]'",#]+|,/g;

function callsGrew(before: string, after: string): boolean {
  const tokens = after.match(TOKENS) ?? [];
  const added = addedWords(before.match(TOKENS) ?? [], tokens);
  return (
    added?.every(
      ({ word, at }) => word === ',' || (isOwnSource(word.replaceAll(/["']/g, '')) && isListAt(tokens, at)),
    ) ?? false
  );
}

/** Whether a token stands among the arguments of a call, or in a list, that names sources. */
function isListAt(tokens: readonly string[], at: number): boolean {
  for (let depth = 0, back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back] ?? '';
    if (token === ')' || token === ']') depth += 1;
    else if (token === '(' || token === '[') {
      if (depth > 0) depth -= 1;
      else {
        const opener = tokens[back - 1] ?? '';
        const named = opener === 'set' ? (tokens[back + 1] ?? '') : token === '[' ? (tokens[back - 2] ?? '') : null;
        return named === null ? BUILDING_CALLS.test(opener) : LIST_NAME.test(named) && !named.startsWith('CMAKE_');
      }
    }
  }
  return false;
}

/** More than a person would add by hand. */
const MAX_ADDED = 200;

/** The words that were put in between; null if others are gone or changed. */
function addedWords(
  before: readonly string[],
  after: readonly string[],
): readonly { readonly word: string; readonly at: number }[] | null {
  const added: { word: string; at: number }[] = [];
  let next = 0;
  for (const [at, word] of after.entries()) {
    if (word === before[next]) next += 1;
    else added.push({ word, at });
  }
  return next === before.length && added.length <= MAX_ADDED ? added : null;
}

function isOwnSource(word: string): boolean {
  return (
    SOURCE.test(word) &&
    !isTestName(word) &&
    !inTestDir(word) &&
    !word.startsWith('/') &&
    !word.split('/').includes('..')
  );
}

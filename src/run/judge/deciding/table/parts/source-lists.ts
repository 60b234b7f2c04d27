import { nameOf } from '../../path-parts.ts';
import { addedWords } from './added-words.ts';
import { withoutNewProducts } from './cmake-calls.ts';
import { makeGrew } from './make-growth.ts';
import { withoutOtherTargets } from './make-targets.ts';
import { isOwnSource } from './own-source.ts';

const LIST_NAME = /(?:SRC|SOURCE|OBJ|OBJECT|HDR|HEADER|INC|LIB|FILES|DEPS)/i;
const BUILDING_CALLS =
  /^(?:add_executable|add_library|target_sources|list|executable|library|static_library|shared_library|both_libraries|files)$/;

/** Whether a build file differs only in that it builds more of the product, from sources that are no tests. */
export function onlyNamesMoreSources(
  path: string,
  before: string,
  after: string,
  isMade: (target: string) => boolean,
): boolean {
  const name = nameOf(path);
  if (name === 'CMakeLists.txt') return callsGrew(before, withoutNewProducts(before, after));
  if (name === 'meson.build') return callsGrew(before, after);
  const lines = withoutOtherTargets(path, before, after, isMade);
  return lines !== null && makeGrew(lines);
}

const TOKENS = /[A-Za-z_]\w*(?=\s*\()|[()[\]]|"[^"]*"|'[^']*'|#[^\n]*|[^\s()[\]'",#]+|,/g;

/** Without comments of one line; `#[[` hides the lines that follow. */
const tokensOf = (text: string): readonly string[] => (text.match(TOKENS) ?? []).filter((one) => !/^#(?!\[)/.test(one));

function callsGrew(before: string, after: string): boolean {
  const tokens = tokensOf(after);
  const added = addedWords(tokensOf(before), tokens);
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

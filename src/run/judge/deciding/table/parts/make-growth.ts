import { isOwnSource } from './own-source.ts';
import type { ComparedLines } from './make-targets.ts';
import { addedWords } from './added-words.ts';

const LIST_NAME = /(?:SRC|SOURCE|OBJ|OBJECT|HDR|HEADER|INC|LIB|FILES|DEPS)/i;
const FLAGS_NAME = /^(?:\w*FLAGS|\w*LIBS|WARN\w*)$/;
const COMPILER = /^(?:\$[({](?:CC|CXX|LD|AR)[)}]|cc|gcc|clang|g\+\+|c\+\+|clang\+\+|ld|ar)$/;
const COMPILES =
  /\$[({](?:CC|CXX|LD|AR|LINK\.\w+|COMPILE\.\w+)[)}]|(?:^|[\s/@-])(?:cc|gcc|clang|g\+\+|c\+\+|clang\+\+|ld|ar)\s/;
/** Warnings, debugging information, and libraries of the C library itself: no test comes out otherwise for them. */
const HARMLESS_FLAG = /^-(?:W(?![lap],)[\w+-]+|g[0-3]?|pedantic(?:-errors)?|pthread|l(?:m|pthread|rt|dl))$/;
/** What a new rule may take over from others: it is compiled as they are. */
const COMMON_FLAG = /^-(?:I|std=|O|f)/;
/** A variable of flags: a rule that is new may use what the others do. */
const FLAGS_OF_ALL = /^\$[({]\w*(?:FLAGS|LIBS)[)}]$/;

/** Whether the second version only names more sources of the product, says how new ones are compiled, or warns of more. */
export function makeGrew({ was, is }: ComparedLines): boolean {
  const searchesLibraries = was.some((line) => /(?:^|\s)-L/.test(line));
  const lists = newLists(was, is);
  const isSource = (word: string): boolean => isOwnSource(word) || lists.has(word);
  const grew = (line: string, after: string): boolean => lineGrew(line, after, isSource, searchesLibraries);
  const known = new Set(was.flatMap((line) => line.trim().split(/\s+/)));
  let next = 0;
  for (let at = 0; at < is.length; at += 1) {
    const [line = '', base] = [is[at], was[next]];
    if (base !== undefined && (line === base || grew(base, line))) next += 1;
    else {
      const end = endOfAdded(is, at, { known, isSource });
      if (end === null) return false;
      at = end - 1;
    }
  }
  return next === was.length;
}

/** Variables that the first version does not name, and that hold sources alone: as `$(NAME)` and `${NAME}`. */
function newLists(was: readonly string[], is: readonly string[]): ReadonlySet<string> {
  const names = is.flatMap((line) => {
    const [, name = '', value = ''] = /^([A-Za-z]\w*)\s*[:?]?=\s*(\S.*)$/.exec(line) ?? [];
    const isList = LIST_NAME.test(name) && !/^MAKE|FLAGS$/.test(name) && value.split(/\s+/).every(isOwnSource);
    return isList && !was.some((one) => new RegExp(String.raw`\b${name}\b`).test(one)) ? [name] : [];
  });
  return new Set(names.flatMap((name) => [`$(${name})`, `\${${name}}`]));
}

function lineGrew(
  before: string,
  after: string,
  isSource: (word: string) => boolean,
  searchesLibraries: boolean,
): boolean {
  if (/^\s*/.exec(before)?.[0] !== /^\s*/.exec(after)?.[0]) return false;
  const added = addedWords(before.trim().split(/\s+/), after.trim().split(/\s+/));
  return (
    added?.every(
      ({ word }) =>
        (isSource(word) && mayNameSources(before)) ||
        (HARMLESS_FLAG.test(word) && mayHoldFlags(before) && !(searchesLibraries && word.startsWith('-l'))),
    ) ?? false
  );
}

const variableOf = (line: string): string | null => /^\s*([\w.]+)\s*[:+?]*=/.exec(line)?.[1] ?? null;
const isCompiling = (line: string): boolean => line.startsWith('\t') && COMPILES.test(line) && !/[|;&`]/.test(line);

/** Lists of sources, prerequisites of rules and calls of a compiler. A word more elsewhere can be a command. */
function mayNameSources(line: string): boolean {
  if (line.startsWith('\t')) return isCompiling(line);
  const variable = variableOf(line);
  return variable === null ? /^[^\s:=#][^:=#]*:(?!=)/.test(line) : LIST_NAME.test(variable);
}

function mayHoldFlags(line: string): boolean {
  const variable = variableOf(line);
  return isCompiling(line) || (variable !== null && FLAGS_NAME.test(variable));
}

interface Known {
  readonly known: ReadonlySet<string>;
  readonly isSource: (word: string) => boolean;
}

/** Where a rule or list ends that may be added: of objects, or of a target that is phony from now on; null: it may not. */
function endOfAdded(lines: readonly string[], at: number, { known, isSource }: Known): number | null {
  const line = lines[at] ?? '';
  const phony = /^\.PHONY: ([A-Za-z][\w-]*)$/.exec(line)?.[1];
  // Without a recipe of its own make would look for a way to build it, which it does not for a phony target.
  if (phony !== undefined) return hasRecipe(phony, lines) ? at + 1 : null;
  const variable = variableOf(line);
  if (variable !== null) return isSource(`$(${variable})`) ? at + 1 : null;
  const [, objects = '', needs = ''] = /^([^:]*):(?![:=])([^;=|]*)$/.exec(line) ?? [];
  const targets = objects.trimEnd().split(/\s+/);
  if (!targets.every((one) => /\.(?:o|obj)$/.test(one) && isOwnSource(one))) return null;
  const words = needs.split(/\s+/).filter((word) => word !== '');
  if (!words.every(isSource)) return null;
  const recipe = recipeAfter(lines, at);
  const [object = '', ...others] = targets;
  const isOfItsSource = others.length === 0 && stemOf(words[0] ?? '') === stemOf(object);
  return recipe.length === 0 ||
    (isOfItsSource && recipe.every((one) => isPlainCompile(one, { target: object, sources: words, known })))
    ? at + 1 + recipe.length
    : null;
}

export function recipeAfter(lines: readonly string[], at: number): readonly string[] {
  let end = at + 1;
  while (lines[end]?.startsWith('\t') === true) end += 1;
  return lines.slice(at + 1, end);
}

export interface PlainCompile {
  readonly target: string;
  readonly sources: readonly string[];
  /** Words of the base's Makefile. */
  readonly known: ReadonlySet<string>;
}

/** A call of the compiler that makes one target of sources, with flags that all others have too. */
export function isPlainCompile(line: string, { target, sources, known }: PlainCompile): boolean {
  const [compiler = '', ...words] = line.trim().replace(/^@/, '').split(/\s+/);
  return (
    COMPILER.test(compiler) &&
    words.every((word, at) =>
      words[at - 1] === '-o'
        ? word === '$@' || word === target
        : /^(?:-[co]|\$[<^])$/.test(word) ||
          FLAGS_OF_ALL.test(word) ||
          HARMLESS_FLAG.test(word) ||
          (COMMON_FLAG.test(word) && known.has(word)) ||
          sources.includes(word),
    )
  );
}

const hasRecipe = (target: string, lines: readonly string[]): boolean =>
  lines.some((line, at) => line.startsWith(`${target}:`) && recipeAfter(lines, at).length > 0);

const stemOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.\w+$/, '');

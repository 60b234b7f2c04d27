import { isInside, isOwnSource } from './own-source.ts';
import { hasTestWord, inTestDir, isTestName } from '../../test-names.ts';

interface Call {
  readonly name: string;
  readonly args: readonly string[];
}

const CALL = /\b([A-Za-z_]\w*)\s*\(((?:[^()"#]|"[^"]*")*)\)/g;
const KIND = /^(?:STATIC|SHARED|OBJECT|MODULE)$/;
const SYSTEM_LIBRARY = /^(?:m|pthread|rt|dl)$/;

/** A CMakeLists.txt without the programs of new tests. Nothing else is left out, and nothing that the base names. */
export function withoutNewTestPrograms(before: string, after: string): string {
  const known = wordsOf(before);
  const added = newTargets(known, after, (call) => call.name === 'add_executable' && isTestProgram(call));
  return withoutCalls(before, after, (call) => {
    const [target = '', ...args] = call.args;
    if (call.name === 'add_test') {
      const [test = '', ...run] = target === 'NAME' ? args.filter((word) => word !== 'COMMAND') : call.args;
      return !known.has(test) && run.length > 0 && run.every((word) => added.has(word));
    }
    return added.has(target) && /^(?:add_executable|target_(?:link_libraries|include_directories))$/.test(call.name);
  });
}

function isTestProgram({ args: [target = '', ...sources] }: Call): boolean {
  const areTests = sources.some((source) => isTestName(source) || inTestDir(source));
  return (areTests || hasTestWord(target)) && sources.length > 0 && sources.every(isInside);
}

/** A CMakeLists.txt without rules of installation, and without new parts of the product that others may be linked with. */
export function withoutNewProducts(before: string, after: string): string {
  const known = wordsOf(before);
  // By a variable, the base may name a library that a new one would stand in for.
  const linksByVariable = callsOf(before).some(
    ({ name, args }) => name === 'target_link_libraries' && args.some((word) => word.includes('$')),
  );
  const added = newTargets(known, after, (call) => !linksByVariable && isProductPart(call));
  // A new program may use what the base builds already.
  const isLinked = (word: string, target: string): boolean =>
    added.has(word) || SYSTEM_LIBRARY.test(word) || (added.has(target) && known.has(word) && /^\w[\w-]*$/.test(word));
  return withoutCalls(before, after, ({ name, args: [target = '', ...args] }) => {
    if (name === 'install')
      return (
        /^(?:TARGETS|FILES|DIRECTORY|PROGRAMS)$/.test(target) && !args.some((word) => /^(?:CODE|SCRIPT)$/.test(word))
      );
    if (name === 'target_link_libraries')
      return args.every((word) => /^(?:PRIVATE|PUBLIC)$/.test(word) || isLinked(word, target));
    if (!added.has(target)) return false;
    if (name === 'target_include_directories')
      return args[0] === 'PRIVATE' || args.slice(1).every((word) => known.has(word));
    return name === 'add_library' || name === 'add_executable';
  });
}

function isProductPart({ name, args: [target = '', ...rest] }: Call): boolean {
  return (
    /^add_(?:library|executable)$/.test(name) &&
    /^[\w-]+$/.test(target) &&
    rest.every((word, at) => isOwnSource(word) || (at === 0 && KIND.test(word)))
  );
}

function newTargets(known: ReadonlySet<string>, text: string, isWanted: (call: Call) => boolean): ReadonlySet<string> {
  return new Set(
    callsOf(text).flatMap((call) => {
      const [target = ''] = call.args;
      return !known.has(target) && isWanted(call) ? [target] : [];
    }),
  );
}

/** The second text without those calls that the first does not have. */
function withoutCalls(before: string, after: string, isLeftOut: (call: Call) => boolean): string {
  if (hidesLines(before) || hidesLines(after)) return after;
  const known = new Set(callsOf(before).map(textOf));
  return withoutComments(after).replaceAll(CALL, (text, name: string, args: string) => {
    const call = callFrom(name, args);
    return !known.has(textOf(call)) && isLeftOut(call) ? '' : text;
  });
}

const hidesLines = (text: string): boolean => /#?\[=*\[/.test(text);
const withoutComments = (text: string): string => text.replaceAll(/("[^"]*")|#[^\n]*/g, '$1');
const callFrom = (name: string, args: string): Call => ({
  name: name.toLowerCase(),
  args: args.split(/\s+/).filter((word) => word !== ''),
});
const callsOf = (text: string): readonly Call[] =>
  [...withoutComments(text).matchAll(CALL)].map(([, name = '', args = '']) => callFrom(name, args));
const textOf = ({ name, args }: Call): string => [name, ...args].join(' ');
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/[\s()"]+/));

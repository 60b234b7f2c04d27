import picomatch from 'picomatch';
import { expandMakeText, readMakeRules, readMakeVariables } from '../../command/make-rules.ts';
import { joinPaths, nameOf, parentOf } from '../../path-parts.ts';
import { hasTestWord } from '../../test-names.ts';
import type { Sources } from '../sources.ts';

/** Something that a build file makes, with the sources of the tree that it names for it. */
export interface BuildTarget {
  readonly name: string;
  readonly isTest: boolean;
  /** A program that tests start, and that is not named as a test itself. */
  readonly isStarted: boolean;
  readonly sources: ReadonlySet<string>;
}

const TEST_TARGET = /(?:^|[-_./])(?:unit)?(?:tests?|check|spec)(?:$|[-_.])/i;

const isTestTarget = (name: string): boolean => TEST_TARGET.test(name) || hasTestWord(name);

/** The targets of all build files of C and C++ projects, as far as their texts show them. */
export function readBuildTargets(sources: Sources): readonly BuildTarget[] {
  return sources.tree.paths.flatMap((path) => {
    const name = nameOf(path);
    if (/^(?:GNU)?[Mm]akefile$/.test(name)) return makeTargets(sources, path);
    if (name === 'CMakeLists.txt') return calledTargets(sources, path, CMAKE);
    return name === 'meson.build' ? calledTargets(sources, path, MESON) : [];
  });
}

function makeTargets(sources: Sources, path: string): readonly BuildTarget[] {
  const text = sources.text(path);
  const variables = readMakeVariables(text);
  const words = new Map(
    readMakeRules(text).flatMap(({ names, needs, recipe }) => {
      const expanded = expandMakeText([needs, ...recipe].join(' '), variables).split(/[\s;'"=]+/);
      return names
        .flatMap((name) => expandMakeText(name, variables).split(/\s+/))
        .map((name) => [name, expanded] as const);
    }),
  );
  /** All that a target needs, through other targets; `stop` are not entered. */
  const needed = (name: string, stop: Set<string>): readonly string[] => {
    if (stop.has(name)) return [];
    stop.add(name);
    return (words.get(name) ?? []).flatMap((word) => [word, ...needed(word, stop)]);
  };
  const names = [...words.keys()].filter((name) => !/^\.|^(?:clean|distclean)/.test(name));
  const tests = names.filter((name) => isTestTarget(nameOf(name)));
  const partsOfTests = new Set(tests.flatMap((name) => needed(name, new Set())));
  // Object files and the like that only tests need say nothing about the product; libraries do.
  const others = names.filter(
    (name) => !tests.includes(name) && (!partsOfTests.has(name) || /\.(?:a|so|dylib|dll|lib)$/.test(name)),
  );
  const programs = [...partsOfTests].filter(
    (name) => words.has(name) && !tests.includes(name) && !nameOf(name).includes('.'),
  );
  const target = (name: string, isTest: boolean, isStarted = false): BuildTarget => ({
    name,
    isTest,
    isStarted,
    sources: sourcesNamed(sources, parentOf(path), needed(name, new Set(isTest ? [] : tests))),
  });
  return [
    ...tests.map((name) => target(name, true)),
    ...others.map((name) => target(name, false)),
    ...programs.map((name) => target(name, true, true)),
  ];
}

interface Dialect {
  readonly target: RegExp;
  readonly assignment: RegExp;
  readonly test: RegExp;
}

const CMAKE: Dialect = {
  target: /\b(?:add_executable|add_library|target_sources)\s*\(\s*([\w.${}-]+)([^)]*)\)/g,
  assignment: /\b(?:set|file)\s*\(\s*(?:GLOB(?:_RECURSE)?\s+)?(\w+)([^)]*)\)/g,
  test: /\b(?:add_test\s*\([^)]*COMMAND|add_test\s*\(\s*\S+|(?:gtest|catch|doctest)_discover_tests\s*\()\s*([\w${}.-]+)/g,
};
const MESON: Dialect = {
  target: /\b(?:executable|library|static_library|shared_library|both_libraries)\s*\(\s*'([^']*)'([^)]*)\)/g,
  assignment: /^\s*(\w+)\s*\+?=\s*(files\s*\([^)]*\)|\[[^\]]*\])/gm,
  test: /\btest\s*\(\s*'[^']*'\s*,\s*(\w+)/g,
};

function calledTargets(sources: Sources, path: string, { target, assignment, test }: Dialect): readonly BuildTarget[] {
  const text = sources.text(path).replaceAll(/#[^\n]*/g, '');
  const variables = new Map([...text.matchAll(assignment)].map(([, name = '', value = '']) => [name, value] as const));
  const tested = new Set([...text.matchAll(test)].map(([, name = '']) => name));
  const assigned = new Map(
    [...text.matchAll(/^\s*(\w+)\s*=\s*executable\s*\(\s*'([^']*)'/gm)].map(([, variable = '', name = '']) => [
      name,
      variable,
    ]),
  );
  const wordsOf = (arguments_: string): readonly string[] =>
    arguments_.split(WORD_ENDS).flatMap((word) => {
      const value = variables.get(word.replace(/^\$\{(\w+)\}$/, '$1'));
      return value === undefined ? [word] : value.split(WORD_ENDS);
    });
  return [...text.matchAll(target)].map(([, name = '', rest = '']) => {
    const isTest = tested.has(name) || tested.has(assigned.get(name) ?? name) || isTestTarget(name);
    return {
      name,
      isTest,
      isStarted: isTest && !isTestTarget(name),
      sources: sourcesNamed(sources, parentOf(path), wordsOf(rest)),
    };
  });
}

const WORD_ENDS = /[\s'"[\](),]+/;

/** The sources that words of a build file mean: by name, by object file, by pattern. */
function sourcesNamed({ index, tree }: Sources, dir: string, words: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const word of new Set(words)) {
    const plain = word
      .replace(/^.*\$[({]\w*[)}]\//, '')
      .replace(/^\$\{?\w*\}?\//, '')
      .replace(/[,)]+$/, '');
    const path = joinPaths(dir, plain);
    if (path === null || plain === '') continue;
    if (index.files.has(path)) found.add(path);
    else if (/\.(?:o|obj|lo)$/.test(path))
      for (const source of sourcesOfObject(path, index.files, tree.paths)) found.add(source);
    else if (/[*%]/.test(plain)) {
      const fits = picomatch(path.replaceAll('%', '*'), { flags: 's' });
      for (const one of tree.paths) if (fits(one)) found.add(one);
    }
  }
  return found;
}

const SOURCE_ENDINGS = ['c', 'cc', 'cpp', 'cxx', 's', 'S', 'm'];

function sourcesOfObject(object: string, files: ReadonlySet<string>, paths: readonly string[]): readonly string[] {
  const stem = object.replace(/\.\w+$/, '');
  const beside = SOURCE_ENDINGS.map((ending) => `${stem}.${ending}`).filter((path) => files.has(path));
  if (beside.length > 0) return beside;
  const names = new Set(SOURCE_ENDINGS.map((ending) => `${nameOf(stem)}.${ending}`));
  return paths.filter((path) => names.has(nameOf(path)));
}

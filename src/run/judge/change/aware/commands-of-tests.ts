import { nameOf } from '../../deciding/path-parts.ts';
import { type Language, languageOf } from '../../syntax/language.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import type { AwareLine } from './aware-line.ts';

interface CommandsRequest {
  readonly base: Pick<ReadableTree, 'paths' | 'read'>;
  readonly deciding: Pick<ReadableTree, 'read'>;
  /** Files that only tests use. */
  readonly testFiles: readonly string[];
  /** Languages of files whose names do not tell. */
  readonly included: ReadonlyMap<string, Language>;
}

/** Programs and builtins that tests compare, look and end with. */
const COMMANDS = new Set(
  'awk builtin cat cmp comm command curl cut date diff echo egrep env eval exec exit expr false fgrep find grep head jq kill local ls md5sum mkdir mktemp mv node od paste printf pwd python3 read return rm sed seq set sha256sum shift sort source stat tail tee test touch tr trap true uniq unset wait wc xargs'.split(
    ' ',
  ),
);
const DEFINED = /^[ \t]*(?:function[ \t]+([\w.-]+)|([\w.-]+)[ \t]*\([ \t]*\))|(?:^|[\s;&|])alias[ \t]+([\w.-]+)=/gm;

/** What shunit2 calls besides the tests. */
const HOOKS = new Set(['oneTimeSetUp', 'oneTimeTearDown', 'setUp', 'tearDown', 'suite']);
/** Ends whoever sources it, with success or with what came last. */
const EXITS = /(?:^|[\s;&|({])exit(?:[ \t]+(?:0|"?\$\?"?))?[ \t]*(?=$|[;&|)}])/;

/**
 * Functions and aliases of a shell in the place of a command or function of the base's tests: what these call is then not what they
 * mean; and lines that end the tests. Only in files that are sourced, since a program keeps its functions to itself.
 */
export function takenCommands(
  paths: readonly string[],
  { base, deciding, testFiles, included }: CommandsRequest,
): readonly AwareLine[] {
  const isShell = (path: string): boolean =>
    (languageOf(path, base.read(path) ?? deciding.read(path) ?? '') ?? included.get(path)) === 'bash';
  const changed = paths.filter(isShell);
  const tests = testFiles.filter(isShell).map((path) => base.read(path) ?? '');
  if (changed.length === 0 || tests.length === 0) return [];
  const texts = [
    ...tests,
    ...[...new Set([...base.paths, ...changed])].filter(isShell).map((path) => deciding.read(path) ?? ''),
  ];
  const isSourced = (path: string): boolean => {
    const [stem = ''] = nameOf(path).split('.');
    return texts.some((text) => [...text.matchAll(SOURCED)].some(([, file = '']) => nameOf(file).startsWith(stem)));
  };
  return changed.filter(isSourced).flatMap((path) => {
    const text = deciding.read(path) ?? '';
    const known = new Set([...(base.read(path) ?? '').matchAll(DEFINED)].map(nameIn));
    const lines = text.split('\n').map((one) => one.trim());
    const before = (base.read(path) ?? '').split('\n').filter((one) => EXITS.test(one)).length;
    const ending = lines.flatMap((one, at) => (EXITS.test(one) && !one.startsWith('#') ? [at + 1] : []));
    const names = [...text.matchAll(DEFINED)].flatMap((found) => {
      const name = nameIn(found);
      if (known.has(name) || !isOfTests(name, tests)) return [];
      return [text.slice(0, found.index + found[0].length).split('\n').length];
    });
    const said = (kind: AwareLine['kind'], line: number): AwareLine => ({
      kind,
      path,
      line,
      text: lines[line - 1] ?? '',
    });
    return [
      ...names.map((line) => said('assertion', line)),
      ...(ending.length > before ? ending.map((line) => said('exit', line)) : []),
    ];
  });
}

const SOURCED = /(?:^|[\s;&|({])(?:\.|source|load)[ \t]+["']?([^\s"';&|)]+)/gm;

const nameIn = ([, word, name, alias]: RegExpMatchArray): string => word ?? name ?? alias ?? '';

const isCalledIn = (tests: readonly string[], name: string): boolean =>
  tests.some((text) => new RegExp(String.raw`(?:^|[\s;&|({\x60!])${name}(?:[\s;&|)}\x60]|$)`, 'm').test(text));

function isOfTests(name: string, tests: readonly string[]): boolean {
  if (COMMANDS.has(name)) return isCalledIn(tests, name);
  if (HOOKS.has(name) && tests.some((text) => text.includes('shunit2'))) return true;
  return tests.some((text) => [...text.matchAll(DEFINED)].some((found) => nameIn(found) === name));
}

import { ecosystemOf } from '../languages.ts';
import { isRecord, parseJsonc, valueAt } from '../manifest-text.ts';
import { joinPaths, nameOf } from '../path-parts.ts';
import { expandMakeText, readMakeRules, readMakeVariables } from './make-rules.ts';
import { splitCommands } from './shell-commands.ts';
import { type CommandStep, type CommandWalk, MAX_STEP_DEPTH, OTHER_PROGRAM } from './steps.ts';

const RUNNERS = new Set(
  (
    'pytest py.test unittest doctest nose2 nosetests tox nox vitest jest mocha ava tap jasmine karma uvu bats shellspec ctest ' +
    'rspec phpunit prove behave gotestsum cargo-nextest'
  ).split(' '),
);
const INTERPRETERS = /^(?:(?:ba|da|a|k|z)?sh|python[\d.]*|pypy\d?|node|nodejs|tsx|ts-node|bun|deno|ruby|perl|php|lua)$/;
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Programs that run the command in their arguments. */
const WRAPPERS = new Set(
  'env exec time nice command npx pnpx bunx uv poetry pipenv hatch run dlx c8 nyc cross-env timeout xvfb-run'.split(
    ' ',
  ),
);

/** What a shell text runs, in order, through scripts, Makefiles and package scripts of the tree. */
export function followText(text: string, dir: string, walk: CommandWalk, depth = 0): readonly CommandStep[] {
  if (depth > MAX_STEP_DEPTH) return [];
  let at = dir;
  return splitCommands(text).flatMap((words) => {
    if (words[0] === 'cd' || words[0] === 'pushd') {
      at = joinPaths(at, words[1] ?? '') ?? at;
      return [];
    }
    return followWords(words, at, walk, depth);
  });
}

function followWords(all: readonly string[], dir: string, walk: CommandWalk, depth: number): readonly CommandStep[] {
  const start = all.findIndex((word) => !WRAPPERS.has(word) && !/^\w+=|^-|^\d+[smh]?$/.test(word));
  const [program = '', ...rest] = start < 0 ? [] : all.slice(start);
  const name = nameOf(program);
  if (MANAGERS.has(name)) return followPackageScript(rest, dir, walk, depth);
  if (name === 'make' || name === 'gmake') return followMake(rest, dir, walk, depth);
  if (isRunnerCall(name, rest)) return [...namedFiles(all, dir, walk), { file: null, kind: 'runner' }];
  // Its output is captured as a value, so it decides nothing by itself.
  if (all.slice(0, Math.max(start, 0)).some((word) => /^\w+=(?:\$\(|`)/.test(word))) return OTHER_PROGRAM;
  if (!INTERPRETERS.test(name)) return followScript(joinPaths(dir, program), walk, depth);
  const inline = rest[rest.indexOf('-c') + 1] ?? '';
  if (rest.includes('-c') && name.endsWith('sh')) return followText(inline, dir, walk, depth + 1);
  const preloaded = rest.filter((_word, at) =>
    /^(?:-r|--require|--import|--loader|--experimental-loader)$/.test(rest[at - 1] ?? ''),
  );
  const script = rest.find((word) => !word.startsWith('-') && !preloaded.includes(word));
  const steps = script === undefined ? OTHER_PROGRAM : followScript(joinPaths(dir, script), walk, depth);
  return [...namedFiles(preloaded, dir, walk), ...steps];
}

/** Files named in the arguments or variables of a runner's command: settings, modules to load first. */
function namedFiles(words: readonly string[], dir: string, { files }: CommandWalk): readonly CommandStep[] {
  const parts = words.flatMap((word) => word.split(/[=,\s]/));
  const paths = parts.filter((part) => part !== '').map((part) => joinPaths(dir, part));
  return paths.flatMap((file) => (file !== null && files.has(file) ? [{ file, kind: 'decides' } as const] : []));
}

function isRunnerCall(name: string, rest: readonly string[]): boolean {
  if (RUNNERS.has(name) || (name === 'go' && rest.includes('test'))) return true;
  if (name === 'cargo') return rest.includes('test') || rest.includes('nextest');
  if (name === 'node') return rest.some((word) => word.startsWith('--test'));
  return (
    INTERPRETERS.test(name) && rest.includes('-m') && RUNNERS.has(rest[rest.indexOf('-m') + 1]?.split('.')[0] ?? '')
  );
}

const CALLS_RUNNER = /["'](?:pytest|unittest|vitest|jest|mocha|--test|ctest|go test|cargo test|bats)["']/;

/** A shell script leads to the runner if one of its commands does. For other languages only the text is searched. */
function followScript(path: string | null, walk: CommandWalk, depth: number): readonly CommandStep[] {
  if (path === null || !walk.files.has(path)) return OTHER_PROGRAM;
  if (!walk.enter(path)) return [];
  const text = walk.read(path);
  if (ecosystemOf(path, walk.tree.read) !== 'shell')
    return [{ file: path, kind: CALLS_RUNNER.test(text) ? 'runner' : 'other' }];
  const inner = followText(text.replaceAll(/\\\n/g, ' '), '', walk, depth + 1);
  return [
    ...inner.filter((step) => step.file !== null).map((step) => ({ by: path, ...step })),
    { file: path, kind: inner.some(({ kind }) => kind === 'runner') ? 'runner' : 'other' },
  ];
}

function followPackageScript(
  words: readonly string[],
  start: string,
  walk: CommandWalk,
  depth: number,
): readonly CommandStep[] {
  const option = words.findIndex((word) => /^(?:--prefix|-C|--cwd|--dir)(?:=|$)/.test(word));
  const given = words[option]?.includes('=') === true ? words[option]?.replace(/^[^=]*=/, '') : words[option + 1];
  const dir = joinPaths(start, option < 0 ? '' : (given ?? '')) ?? start;
  const plain = words.filter((word) => !word.startsWith('-') && (option < 0 || word !== given));
  const [verb = '', named = ''] = plain;
  const name = verb === 'run' || verb === 'run-script' ? named : verb === 't' ? 'test' : verb;
  const scripts = valueAt(parseJsonc(walk.read(joinPaths(dir, 'package.json'))), ['scripts']);
  if (!isRecord(scripts) || !walk.enter(`${dir}#${name}`)) return OTHER_PROGRAM;
  if (typeof scripts[name] !== 'string')
    return followWords(
      plain.filter((word) => word !== 'exec'),
      dir,
      walk,
      depth + 1,
    );
  return [`pre${name}`, name, `post${name}`].flatMap((one) => {
    const text = scripts[one];
    return typeof text === 'string' ? followText(text, dir, walk, depth + 1) : [];
  });
}

/** The Makefile itself always decides: it says what `make test` means. */
function followMake(words: readonly string[], start: string, walk: CommandWalk, depth: number): readonly CommandStep[] {
  const valueOf = (option: string): string => (words.includes(option) ? (words[words.indexOf(option) + 1] ?? '') : '');
  const dir = joinPaths(start, valueOf('-C')) ?? start;
  const names = valueOf('-f') === '' ? ['GNUmakefile', 'makefile', 'Makefile'] : [valueOf('-f')];
  const path = names.map((name) => joinPaths(dir, name)).find((one) => one !== null && walk.files.has(one)) ?? null;
  if (path === null || depth > MAX_STEP_DEPTH) return OTHER_PROGRAM;
  const text = walk.read(path);
  const variables = readMakeVariables(text);
  const rules = new Map(readMakeRules(text).flatMap((rule) => rule.names.map((name) => [name, rule] as const)));
  const follow = (target: string): readonly CommandStep[] => {
    const rule = rules.get(target);
    if (rule === undefined || !walk.enter(`${path}#${target}`)) return [];
    const recipe = expandMakeText(rule.recipe.join('\n').replaceAll(/\$[({]MAKE[)}]/g, 'make'), variables);
    return [
      ...expandMakeText(rule.needs, variables).split(/\s+/).flatMap(follow),
      ...followText(recipe, dir, walk, depth + 1),
    ];
  };
  const asked = words.filter((word, at) => !/^-|=/.test(word) && !/^-[Cf]$/.test(words[at - 1] ?? ''));
  const first = [...rules.keys()].find((name) => !name.startsWith('.')) ?? '';
  const inner = (asked.length > 0 ? asked : [first]).flatMap(follow);
  return [...inner, { file: path, kind: inner.some(({ kind }) => kind === 'runner') ? 'runner' : 'decides' }];
}

import type { RunnerCommand } from './runner-command.ts';
import type { CommandLine } from './shell-words.ts';

type Runner = 'vitest' | 'jest';

/** Ways to say "the one in node_modules": none of them is asked, the package is called itself. */
const LAUNCHERS = [['npx'], ['npm', 'exec'], ['pnpm', 'exec'], ['yarn', 'exec'], ['bunx']];
const LAUNCHER_FLAG = /^(?:-y|--yes|--no|--no-install|--)$/;
const BY_NAME = /^(?:(?:\.\/)?node_modules\/\.bin\/)?(vitest|jest)$/;
const BY_FILE = /^(?:\.\/)?node_modules\/(?:\.bin\/(vitest|jest)|vitest\/(vitest)\.mjs|jest\/bin\/(jest)(?:\.js)?)$/;
const NODE = /^(?:.*\/)?node$/;

/** Other things that vitest does, none of which is running tests once. */
const VITEST_VERBS = new Set(['watch', 'dev', 'bench', 'init', 'list', 'related']);

/** Options that change how node runs code, not which: none that loads a file. */
const HARMLESS_OPTION =
  /^--(?:experimental-(?!loader|.*config)[\w-]+|no-[\w-]+|trace-[\w-]+|enable-source-maps|max-old-space-size=\d+|stack-size=\d+)$/;
const HARMLESS_VARIABLE = /^(?!PATH$|HOME$|TMPDIR$|LD_|NODE_(?!ENV$))[A-Z_][A-Z0-9_]*$/i;

/** A command that runs vitest or jest of the tree. Null: it does not, or it brings settings that only a shell may grant. */
export function readJavaScriptRunner({ env, words }: CommandLine): RunnerCommand | null {
  const named = readEnvironment(words, env);
  const called = findRunner(named.words);
  if (called === null) return null;
  const { runner, args, nodeOptions } = called;
  const variables = Object.fromEntries(named.env);
  const options = [...(variables['NODE_OPTIONS'] ?? '').split(/\s+/).filter((word) => word !== ''), ...nodeOptions];
  delete variables['NODE_OPTIONS'];
  if (!options.every((word) => HARMLESS_OPTION.test(word))) return null;
  if (!Object.keys(variables).every((name) => HARMLESS_VARIABLE.test(name))) return null;
  if (options.length > 0) variables['NODE_OPTIONS'] = options.join(' ');
  return { runner, program: 'node', args, ...(Object.keys(variables).length === 0 ? {} : { env: variables }) };
}

/** `cross-env A=1 jest` says what `A=1 jest` says. */
function readEnvironment(words: CommandLine['words'], env: CommandLine['env']): CommandLine {
  if (words[0] !== 'cross-env') return { words, env };
  const rest = words.slice(1);
  const start = rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const more = rest.slice(0, Math.max(start, 0)).map((word) => {
    const [name = '', ...value] = word.split('=');
    return [name, value.join('=')] as const;
  });
  return { words: start < 0 ? [] : rest.slice(start), env: [...env, ...more] };
}

interface Called {
  readonly runner: Runner;
  readonly args: readonly string[];
  readonly nodeOptions: readonly string[];
}

function findRunner(words: readonly string[]): Called | null {
  const [program = '', ...args] = words;
  if (NODE.test(program)) {
    const at = args.findIndex((word) => !word.startsWith('-'));
    const match = BY_FILE.exec(args[at] ?? '');
    const runner = asRunner(match?.[1] ?? match?.[2] ?? match?.[3]);
    return runner === null ? null : withVerb(runner, args.slice(at + 1), args.slice(0, at));
  }
  const launcher = LAUNCHERS.find((prefix) => prefix.every((word, index) => words[index] === word));
  const rest = words.slice(launcher?.length ?? 0);
  const start = launcher === undefined ? 0 : rest.findIndex((word) => !LAUNCHER_FLAG.test(word));
  const runner = asRunner(BY_NAME.exec(rest[start] ?? '')?.[1]);
  return runner === null ? null : withVerb(runner, rest.slice(start + 1), []);
}

function withVerb(runner: Runner, args: readonly string[], nodeOptions: readonly string[]): Called | null {
  if (runner === 'jest') return { runner, args, nodeOptions };
  if (VITEST_VERBS.has(args[0] ?? '')) return null;
  return { runner, args: args[0] === 'run' ? args.slice(1) : args, nodeOptions };
}

function asRunner(word: string | undefined): Runner | null {
  return word === 'vitest' || word === 'jest' ? word : null;
}

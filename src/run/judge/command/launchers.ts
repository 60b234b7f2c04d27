import { basename } from 'node:path';
import type { CommandLine } from './command-line.ts';

/** A program that starts another, named after its own options. */
interface Launcher {
  readonly prefix: readonly string[];
  /** Options without a value. */
  readonly flags?: RegExp;
  /** Options whose value is the next word, when it is not joined by `=`. */
  readonly valued?: readonly string[];
  /** Words of its own before the other program. */
  readonly operands?: number;
  /** `-m <module>` is one of Python. */
  readonly modules?: boolean;
  /** What stands for the words that are left, if it is not they themselves. */
  readonly becomes?: (rest: readonly string[]) => readonly string[];
}

const LONG = /^--[\w-]+(?:=.*)?$/;
const PACKAGE_FLAGS = /^(?:-y|-q|--yes|--no|--no-install|--quiet|--prefer-offline|--offline|--silent)$/;
const COVERAGE_VALUED = [
  '--reporter -r --report-dir --reports-dir -o --temp-dir --temp-directory -t --cwd --include -n --exclude -x --extension -e --src',
  '--lines --branches --functions --statements --require -i --nycrc-path --config',
].flatMap((words) => words.split(' '));

/** Where `-m` or a program is what counts, and settings of an environment are the provisioned one's. */
const LAUNCHERS: readonly Launcher[] = [
  { prefix: ['time'], flags: /^-[pv]$/, valued: ['-o', '-f'] },
  {
    prefix: ['timeout'],
    flags: /^(?:-v|-f|--foreground|--preserve-status|--verbose|--(?:kill-after|signal)=.*)$/,
    valued: ['-k', '--kill-after', '-s', '--signal'],
    operands: 1,
  },
  { prefix: ['nice'], flags: /^-(?:n?-?\d+|-adjustment=-?\d+)$/, valued: ['-n'] },
  { prefix: ['nohup'] },
  { prefix: ['stdbuf'], flags: /^-[ioe].+$/, valued: ['-i', '-o', '-e'] },
  { prefix: ['command'] },
  { prefix: ['exec'] },
  { prefix: ['corepack'] },
  { prefix: ['npx'], flags: PACKAGE_FLAGS },
  { prefix: ['npm', 'exec'], flags: PACKAGE_FLAGS },
  { prefix: ['pnpm', 'exec'], flags: PACKAGE_FLAGS },
  { prefix: ['yarn', 'exec'], flags: PACKAGE_FLAGS },
  { prefix: ['bunx'], flags: PACKAGE_FLAGS },
  {
    prefix: ['uv', 'run'],
    flags:
      /^(?:--(?:frozen|locked|no-sync|offline|all-extras|all-groups|dev|no-dev|isolated|exact|active|quiet|no-progress)|-[qv]+)$/,
    valued: ['--extra', '--group', '--python', '-p', '--package'],
    modules: true,
  },
  { prefix: ['poetry', 'run'] },
  { prefix: ['pipenv', 'run'] },
  { prefix: ['pdm', 'run'] },
  { prefix: ['rye', 'run'] },
  { prefix: ['hatch', 'run'] },
  { prefix: ['hatch', 'test'], flags: /^-(?:a|c|p|i)$/, becomes: (rest) => ['pytest', ...rest] },
  {
    prefix: ['conda', 'run'],
    flags: /^--(?:no-capture-output|live-stream)$/,
    valued: ['-n', '-p', '--name', '--prefix'],
  },
  {
    prefix: ['coverage', 'run'],
    flags:
      /^(?:-[ap]|--(?:branch|append|parallel-mode|timid|pylib|(?:source|omit|include|rcfile|concurrency|context|data-file)=.*))$/,
    valued: ['--source', '--omit', '--include', '--rcfile', '--concurrency', '--context', '--data-file'],
    modules: true,
  },
  { prefix: ['nyc'], flags: LONG, valued: COVERAGE_VALUED },
  { prefix: ['c8'], flags: LONG, valued: COVERAGE_VALUED },
  { prefix: ['richgo'], becomes: (rest) => ['go', ...rest] },
];

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/**
 * The line without the first program, if that does no more than start another one: `npx`, `timeout 60`, `env A=1`, `uv run`,
 * `nyc`. Null: it does something itself.
 */
export function withoutLauncher(line: CommandLine): CommandLine | null {
  const inner = withoutEnv(line) ?? withoutProgram(line) ?? withoutGotestsum(line);
  return inner === null || inner.words.length === 0 ? null : inner;
}

/** `env A=1 cmd` and `cross-env A=1 cmd` say what `A=1 cmd` says. */
function withoutEnv(line: CommandLine): CommandLine | null {
  const [first = '', ...rest] = line.words;
  if (!/^(?:env|cross-env)$/.test(basename(first))) return null;
  const start = rest.findIndex((word) => !ASSIGNMENT.test(word));
  const words = start < 0 ? [] : rest.slice(start);
  if (words.length === 0 || words[0]?.startsWith('-') === true) return null;
  const more = rest.slice(0, start).map((word) => {
    const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
    return [name, value] as const;
  });
  return { ...line, words, env: [...line.env, ...more] };
}

function withoutProgram(line: CommandLine): CommandLine | null {
  const words = asProgram(line.words);
  const launcher = LAUNCHERS.find(({ prefix }) => prefix.every((word, at) => words[at] === word));
  if (launcher === undefined) return null;
  const { flags, valued = [], operands = 0, modules = false, becomes } = launcher;
  let rest = words.slice(launcher.prefix.length);
  for (let [word] = rest; word !== undefined; [word] = rest) {
    if (modules && (word === '-m' || word === '--module'))
      return { ...line, words: ['python3', '-m', ...rest.slice(1)] };
    if (valued.includes(word)) rest = rest.slice(2);
    else if (flags?.test(word) === true) rest = rest.slice(1);
    else break;
  }
  if (rest[0] === '--') rest = rest.slice(1);
  else if (rest[0]?.startsWith('-') === true && becomes === undefined) return null;
  rest = rest.slice(operands);
  return { ...line, words: becomes?.(rest) ?? rest };
}

/** `python -m coverage run …`, `.venv/bin/coverage run …`, `node_modules/.bin/nyc …`. */
function asProgram(words: readonly string[]): readonly string[] {
  const [first = '', second, third] = words;
  const isModule = /^(?:.*\/)?python[\d.]*$/.test(first) && second === '-m';
  if (isModule && third === 'coverage') return words.slice(2);
  return /^(?:\.\/)?(?:.*\/)?(?:\.bin|bin)\/[\w-]+$/.test(first) ? [basename(first), ...words.slice(1)] : words;
}

/** It calls `go test` with what comes after `--`, or with packages. */
function withoutGotestsum(line: CommandLine): CommandLine | null {
  const [first = '', ...rest] = line.words;
  if (basename(first) !== 'gotestsum') return null;
  const at = rest.indexOf('--');
  const own = at < 0 ? rest : rest.slice(0, at);
  if (own.some((word) => /^--(?:raw-command|watch|rerun-fails)/.test(word))) return null;
  const after = at < 0 ? own.filter((word) => /^\.?\.?\//.test(word)) : rest.slice(at + 1);
  return { ...line, words: ['go', 'test', ...(after.length === 0 ? ['./...'] : after)] };
}

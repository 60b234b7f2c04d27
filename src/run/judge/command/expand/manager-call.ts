/** What is asked of npm, pnpm, yarn or bun. */
export interface ManagerCall {
  /** The script; null: something else. */
  readonly verb: string | null;
  /** Certainly a script: `run test`, `test`. Else it can also be a program of node_modules. */
  readonly isScript: boolean;
  /** For the script itself. */
  readonly words: readonly string[];
  /** `--prefix`, `--cwd`, `-C`. */
  readonly dir: string | null;
  /** Packages of the workspace it runs in: by their names; null: it is no call for a workspace. */
  readonly members: readonly string[] | 'all' | null;
  readonly withRoot: boolean;
  /** Packages without the script are left out. */
  readonly skipsMissing: boolean;
  readonly ifPresent: boolean;
  /** Without `pre…` and `post…`. */
  readonly ignoresHooks: boolean;
}

const MANAGER = /^(?:npm|pnpm|yarn|bun)$/;
const RUN = /^(?:run|run-script|rum|urn)$/;
const TEST = /^(?:test|t|tst)$/;
/** Change what is printed, or how much runs at once. */
const QUIET =
  /^(?:-s|-q|-d+|--silent|--quiet|--verbose|--stream|--parallel|--sequential|--no-bail|--bail|--aggregate-output|--color|--no-color|--offline|--prefer-offline|--no-audit|--no-fund|--no-update-notifier|--foreground-scripts|--(?:loglevel|reporter|workspace-concurrency|network-timeout|non-interactive)(?:=.*)?)$/;
const QUIET_VALUED = /^--(?:loglevel|reporter|workspace-concurrency|network-timeout)$/;

interface Draft {
  dir: string | null;
  members: string[] | 'all' | null;
  withRoot: boolean;
  skipsMissing: boolean;
  ifPresent: boolean;
  ignoresHooks: boolean;
}

/** Null: it is not for a package manager, or asks for something else than a script. */
export function readManagerCall(line: readonly string[]): ManagerCall | null {
  const [manager = '', ...args] = line;
  if (!MANAGER.test(manager)) return null;
  const draft: Draft = {
    dir: null,
    members: null,
    withRoot: false,
    skipsMissing: manager !== 'npm',
    ifPresent: false,
    ignoresHooks: false,
  };
  let rest = manager === 'yarn' ? readYarnWorkspaces(args, draft) : args;
  const before = takeOptions(rest, manager, draft);
  if (before === null) return null;
  rest = before;
  const [first = ''] = rest;
  const isRun = RUN.test(first);
  // `bun test` is a runner of its own.
  if (first === '' || (manager === 'bun' && !isRun)) return null;
  rest = rest.slice(1);
  if (isRun) {
    const between = takeOptions(rest, manager, draft);
    if (between === null) return null;
    rest = between;
  }
  const isTest = !isRun && TEST.test(first);
  const name = isTest ? 'test' : isRun ? rest[0] : first;
  if (isRun) rest = rest.slice(1);
  if (name === undefined || (manager === 'npm' && !isRun && !isTest)) return null;
  const words = wordsOf(rest, manager, draft);
  if (words === null) return null;
  return { ...draft, verb: name, isScript: isRun || isTest, words };
}

/** npm takes options after the name for itself, up to `--`; the others hand all words on. */
function wordsOf(rest: readonly string[], manager: string, draft: Draft): readonly string[] | null {
  const at = rest.indexOf('--');
  if (manager !== 'npm') return at === 0 ? rest.slice(1) : rest;
  const own = takeOptions(at < 0 ? rest : rest.slice(0, at), manager, draft, true);
  return own === null ? null : [...own, ...(at < 0 ? [] : rest.slice(at + 1))];
}

/** The words after options of the manager; null: one of them is not known. */
function takeOptions(
  args: readonly string[],
  manager: string,
  draft: Draft,
  everywhere = false,
): readonly string[] | null {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) {
      if (!everywhere) return args.slice(at);
      kept.push(word);
      continue;
    }
    const [name, joined] = splitOption(word);
    const taken = takeOption(name, joined ?? args[at + 1], manager, draft);
    if (taken === 'unknown') return null;
    if (taken === 'valued' && joined === undefined) at += 1;
  }
  return kept;
}

function splitOption(word: string): readonly [string, string | undefined] {
  const sign = word.indexOf('=');
  return sign < 0 ? [word, undefined] : [word.slice(0, sign), word.slice(sign + 1)];
}

function takeOption(
  name: string,
  value: string | undefined,
  manager: string,
  draft: Draft,
): 'flag' | 'valued' | 'unknown' {
  const isDir = manager === 'npm' ? /^(?:--prefix|-C)$/ : manager === 'pnpm' ? /^(?:-C|--dir|--prefix)$/ : /^--cwd$/;
  if (isDir.test(name) && value !== undefined) {
    draft.dir = value;
    return 'valued';
  }
  const isFilter = manager === 'npm' ? /^(?:-w|--workspace)$/ : /^(?:-F|--filter)$/;
  if (isFilter.test(name) && value !== undefined) {
    draft.members = [...(Array.isArray(draft.members) ? draft.members : []), value];
    return 'valued';
  }
  const isAll = manager === 'npm' ? /^(?:-ws|--workspaces)$/ : manager === 'pnpm' ? /^(?:-r|--recursive)$/ : /^$/;
  if (isAll.test(name)) draft.members ??= 'all';
  else if (/^(?:-iwr|--include-workspace-root)$/.test(name)) draft.withRoot = true;
  else if (name === '--if-present') Object.assign(draft, { ifPresent: true, skipsMissing: true });
  else if (name === '--ignore-scripts') draft.ignoresHooks = true;
  else if (!QUIET.test(name)) return 'unknown';
  return QUIET_VALUED.test(name) ? 'valued' : 'flag';
}

/** `workspace <name> …`, `workspaces foreach -A … run test`, `workspaces run test`. */
function readYarnWorkspaces(args: readonly string[], draft: Draft): readonly string[] {
  const [first, second = '', ...rest] = args;
  if (first === 'workspace') {
    draft.members = [second];
    draft.skipsMissing = false;
    return rest;
  }
  if (first !== 'workspaces') return args;
  if (second !== 'foreach') {
    draft.members = 'all';
    return [second, ...rest];
  }
  const chosen: string[] = [];
  const left: string[] = [];
  let at = 0;
  for (; rest[at]?.startsWith('-') === true; at += 1) {
    const word = rest[at] ?? '';
    const [name, joined] = splitOption(word);
    const value = joined ?? rest[at + 1] ?? '';
    if (name === '--include' || name === '--from') chosen.push(value);
    if (name === '--exclude') left.push(`!${value}`);
    if (joined === undefined && /^(?:--(?:include|from|exclude|jobs)|-j)$/.test(name)) at += 1;
  }
  draft.members = chosen.length + left.length === 0 ? 'all' : [...(chosen.length === 0 ? ['**'] : chosen), ...left];
  return rest.slice(at);
}

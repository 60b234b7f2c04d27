import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { DEFAULT_REQUIRED_EVENTS } from '../evidence/schema/events.ts';
import { SeatrialError, systemCode } from '../kernel/errors.ts';
import { packageRoot } from '../kernel/package-root.ts';
import { taskFileSchema, type TaskFile, type Terms } from './contract.ts';
import { readText, readToml } from './toml/parse-toml.ts';
import { layoutOf } from './image/layout.ts';
import { walkTree } from './tree/walk.ts';

/** A valid task directory. */
export interface Task {
  readonly name: string;
  readonly dir: string;
  readonly terms: Terms;
  readonly filesDir: string;
  readonly testsDir: string | null;
  readonly solutionDir: string | null;
}

const DEFAULT_TIMEOUT_SEC = { agent: 600, verifier: 300 };

export function builtinTasks(): string[] {
  if (!existsSync(tasksRoot())) return [];
  return readdirSync(tasksRoot())
    .filter((name) => existsSync(join(tasksRoot(), name, 'task.toml')))
    .sort();
}

/** The built-in task of that name, if there is one. */
export function builtinTaskDirs(name: string): string[] {
  return builtinTasks().includes(name) ? [join(tasksRoot(), name)] : [];
}

function tasksRoot(): string {
  return join(packageRoot(), 'tasks');
}

/** Resolves a path to a task directory, or the name of a built-in task. */
export function findTask(nameOrPath: string, cwd: string): string {
  const path = resolve(cwd, nameOrPath);
  if (nameOrPath !== '' && layoutOf(path) !== null) return path;
  const builtin = join(tasksRoot(), nameOrPath);
  if (!nameOrPath.includes('/') && nameOrPath !== '' && existsSync(join(builtin, 'task.toml'))) return builtin;
  const why = nameOrPath === '' ? null : whyNoTask(path);
  if (why !== null) throw new SeatrialError('usage', `${nameOrPath} is not a task: ${why}`);
  throw new SeatrialError(
    'usage',
    `no task ${JSON.stringify(nameOrPath)}: give a task directory or one of ${builtinTasks().join(', ')}`,
  );
}

/** Null: the path does not exist. */
function whyNoTask(path: string): string | null {
  try {
    readdirSync(path);
    return 'it has neither task.toml nor task.yaml';
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return null;
    return code === 'ENOTDIR' ? 'it is not a directory' : `it cannot be read (${code})`;
  }
}

/** Reads a task directory and collects all faults, so that the author can fix them in one pass. */
export function readTask(dir: string): Task {
  const faults = PARTS.filter((part) => leadsElsewhere(dir, part)).map(
    (part) => `${part} is a link out of the task directory`,
  );
  const file = readToml(join(dir, 'task.toml'), taskFileSchema, faults) ?? {};
  const instruction = readText(join(dir, 'instruction.md'), faults);
  if (instruction?.trim() === '') faults.push('instruction.md is empty: describe the task for the engine there');
  const filesDir = join(dir, 'environment', 'files');
  if (!isDirectory(filesDir)) faults.push('environment/files is missing: it becomes the workspace');
  else faults.push(...treeFaults(filesDir, 'environment/files', '/workspace'));
  const testsDir = isDirectory(join(dir, 'tests')) ? join(dir, 'tests') : null;
  if (testsDir !== null) faults.push(...treeFaults(testsDir, 'tests', '/workspace/tests'));
  if (isDirectory(join(dir, 'solution'))) faults.push(...treeFaults(join(dir, 'solution'), 'solution', '/solution'));
  const solutionDir = existsSync(join(dir, 'solution', 'solve.sh')) ? join(dir, 'solution') : null;
  if (faults.length > 0) throw new SeatrialError('usage', `task ${dir}: ${listed(faults)}`);
  const name = taskName(dir);
  return {
    name,
    dir,
    filesDir,
    testsDir,
    solutionDir,
    terms: makeTerms(name, file, instruction ?? '', solutionDir !== null),
  };
}

/** A name that is safe to use in a run directory's name. */
export function taskName(path: string): string {
  return basename(path).replace(/[^A-Za-z0-9._-]/g, '-');
}

const PARTS = ['task.toml', 'instruction.md', 'environment', 'environment/files', 'tests', 'solution'];

/** Whether a part is a link out of the directory: a task must be the same wherever it is copied to. */
function leadsElsewhere(dir: string, part: string): boolean {
  try {
    const home = realpathSync(dir);
    return !realpathSync(join(dir, part)).startsWith(`${home}${sep}`);
  } catch {
    return false;
  }
}

const MAX_LISTED = 20;

function listed(faults: readonly string[]): string {
  const rest = faults.length - MAX_LISTED;
  return [...faults.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** The settings of a task.toml, with defaults filled in. */
export function makeTerms(
  task: string,
  file: Pick<TaskFile, 'agent' | 'verifier' | 'seatrial'>,
  instruction: string,
  hasOracle: boolean,
): Terms {
  const own = file.seatrial ?? {};
  return {
    schema_version: 2,
    task,
    instruction,
    test_command: own.test_command ?? null,
    setup_command: (own.setup_command ?? '').trim() === '' ? null : (own.setup_command ?? null),
    allowed_files: own.allowed_files ?? ['**'],
    protected_files: own.protected_files ?? [],
    required_events: [...DEFAULT_REQUIRED_EVENTS, ...(own.required_events ?? [])],
    expected_tests: own.expected_tests ?? null,
    isolation: own.isolation ?? 'in_process',
    risk_class: own.risk_class ?? 'low',
    mutation: own.mutation ?? 'copied workspace only',
    approvals: own.approvals ?? [],
    review: own.review ?? null,
    ...(own.review_engine === undefined ? {} : { review_engine: own.review_engine }),
    must_commit: own.must_commit ?? false,
    ...(own.env === undefined ? {} : { env: own.env }),
    agent_timeout_sec: file.agent?.timeout_sec ?? DEFAULT_TIMEOUT_SEC.agent,
    verifier_timeout_sec: file.verifier?.timeout_sec ?? DEFAULT_TIMEOUT_SEC.verifier,
    has_oracle: hasOracle,
    repository: null,
  };
}

function treeFaults(dir: string, label: string, seenAs: string): string[] {
  return walkTree(dir, { seenAs }).faults.map((fault) => `${label}: ${fault.reason.text}`);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

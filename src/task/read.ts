import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { TomlError, parse } from 'smol-toml';
import { DEFAULT_REQUIRED_EVENTS } from '../evidence/schema/events.ts';
import { SeatrialError, messageOf, systemCode } from '../kernel/errors.ts';
import { packageRoot } from './package-root.ts';
import { taskFile, type TaskFile, type Terms } from './schema.ts';
import { walkTree, type Tree } from './tree.ts';

/** A task directory, read and found sound. */
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
  return readdirSync(tasksRoot()).filter((name) => existsSync(join(tasksRoot(), name, 'task.toml'))).sort();
}

function tasksRoot(): string {
  return join(packageRoot(), 'tasks');
}

/** A path to a task directory, or the name of a built-in task. */
export function findTask(nameOrPath: string, cwd: string): string {
  const path = resolve(cwd, nameOrPath);
  if (existsSync(join(path, 'task.toml'))) return path;
  const builtin = join(tasksRoot(), nameOrPath);
  if (!nameOrPath.includes('/') && nameOrPath !== '' && existsSync(join(builtin, 'task.toml'))) return builtin;
  if (existsSync(path)) throw new SeatrialError('usage', `${nameOrPath} is not a task: it has no task.toml`);
  const known = ['a task directory', ...builtinTasks()].join(', ');
  throw new SeatrialError('usage', `no task ${JSON.stringify(nameOrPath)}: give one of ${known}`);
}

/** Reads a task directory and collects every fault in it, so that its author mends all in one pass. */
export function readTask(dir: string): Task {
  const faults: string[] = [];
  const file = parseTaskFile(join(dir, 'task.toml'), faults);
  const instruction = readText(join(dir, 'instruction.md'), faults);
  const filesDir = join(dir, 'environment', 'files');
  if (!isDirectory(filesDir)) faults.push('environment/files is missing: it becomes the workspace');
  else faults.push(...treeFaults(filesDir, 'environment/files'));
  const testsDir = isDirectory(join(dir, 'tests')) ? join(dir, 'tests') : null;
  if (testsDir !== null) faults.push(...treeFaults(testsDir, 'tests'));
  const solutionDir = existsSync(join(dir, 'solution', 'solve.sh')) ? join(dir, 'solution') : null;
  if (faults.length > 0) throw new SeatrialError('usage', `task ${dir}: ${faults.join('; ')}`);
  const name = basename(dir).replace(/[^A-Za-z0-9._-]/g, '-');
  return { name, dir, filesDir, testsDir, solutionDir, terms: makeTerms(name, file, instruction, solutionDir !== null) };
}

function makeTerms(task: string, file: TaskFile, instruction: string, hasOracle: boolean): Terms {
  const own = file.seatrial ?? {};
  return {
    schema_version: 1,
    task,
    instruction,
    test_command: own.test_command ?? null,
    setup_command: own.setup_command ?? null,
    allowed_files: own.allowed_files ?? ['**'],
    required_events: [...DEFAULT_REQUIRED_EVENTS, ...(own.required_events ?? [])],
    expected_tests: own.expected_tests ?? null,
    isolation: own.isolation ?? 'in_process',
    risk_class: own.risk_class ?? 'low',
    mutation: own.mutation ?? 'copied workspace only',
    approvals: own.approvals ?? [],
    review: own.review ?? null,
    must_commit: own.must_commit ?? false,
    agent_timeout_sec: file.agent?.timeout_sec ?? DEFAULT_TIMEOUT_SEC.agent,
    verifier_timeout_sec: file.verifier?.timeout_sec ?? DEFAULT_TIMEOUT_SEC.verifier,
    has_oracle: hasOracle,
  };
}

function parseTaskFile(path: string, faults: string[]): TaskFile {
  const text = readText(path, faults);
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'invalid TOML';
    faults.push(`task.toml line ${error.line}, column ${error.column}: ${what}`);
    return {};
  }
  const parsed = taskFile.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) faults.push(describeIssue(issue));
  return {};
}

function describeIssue(issue: { readonly code: string; readonly path: readonly PropertyKey[]; readonly message: string }): string {
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys' && 'keys' in issue && Array.isArray(issue.keys)) {
    return `task.toml: unknown key ${issue.keys.map((key) => (at === '' ? String(key) : `${at}.${String(key)}`)).join(', ')}`;
  }
  return `task.toml: ${at}: ${issue.message}`;
}

function readText(path: string, faults: string[]): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    faults.push(`${basename(path)} ${code === 'ENOENT' ? 'is missing' : `cannot be read (${code ?? messageOf(error)})`}`);
    return '';
  }
}

function treeFaults(dir: string, label: string): string[] {
  const tree: Tree = walkTree(dir, { seenAs: '/workspace' });
  return tree.faults.map((fault) => `${label} holds a ${fault}`);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

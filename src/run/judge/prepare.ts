import type { Tool } from '../../evidence/schema/report.ts';
import { clearTree } from './clear-tree.ts';
import type { TestCommand } from './command/read.ts';
import { MISSING_COMMAND } from './decide.ts';
import type { Invocation } from './sandbox/layout.ts';
import { broughtProgram, trustsNodeModules } from './brought-runner.ts';
import { findInstalled } from './runners/node-package.ts';
import { findTestProgram, type TestProgram } from './runners/programs.ts';
import { findPython } from './runners/python-program.ts';
import type { RunnerCommand } from './command/runner-command.ts';
import { invokeJavaScript } from './runners/javascript.ts';
import { invokeNode } from './runners/node.ts';
import { invokePython } from './runners/python.ts';
import { invokeScript, locateScript } from './runners/script.ts';
import { invokeToolchain } from './runners/toolchain.ts';
import { testsDir } from './sandbox/stage.ts';
import type { JudgeRequest } from './types.ts';

/** Ready to run, or why not: faults that block. */
export type Prepared =
  | {
      readonly ready: true;
      readonly invocation: Invocation;
      readonly toolchain: readonly Tool[];
      /** What the report says about how the runner was called. */
      readonly note?: string;
    }
  | { readonly ready: false; readonly faults: readonly string[] };

type ScriptCommand = Extract<TestCommand, { runner: 'script' }>;

const missing = (what: string): Prepared => ({ ready: false, faults: [MISSING_COMMAND, what] });
const notInstalled = (program: string): Prepared => ({ ready: false, faults: [`not installed: ${program}`] });

const BROUGHT = 'it comes with the patch; what runs the tests has to come from the base, the setup or this machine';

/** Runners whose tests cannot be kept apart from the code they test. */
const SHARING: ReadonlySet<string> = new Set(['vitest', 'jest', 'go', 'cargo']);

/** The first versions whose reporters, and whose ways to keep them in a process of their own, are those that we use. */
const OLDEST = { vitest: { major: 3, minor: 2 }, jest: { major: 29, minor: 5 } } as const;

/** Finds the programs and lays out the folders that a test command needs. */
export async function prepare(request: JudgeRequest, command: TestCommand): Promise<Prepared> {
  const leftOut = clearTree(request);
  const prepared = await prepareRunner(request, command);
  if (leftOut.length === 0) return prepared;
  const note = `left out of the tree, because only the patch brings it: ${leftOut.join(', ')}`;
  if (!prepared.ready) return { ...prepared, faults: [...prepared.faults, note] };
  return { ...prepared, note: prepared.note === undefined ? note : `${prepared.note}; ${note}` };
}

async function prepareRunner(request: JudgeRequest, command: TestCommand): Promise<Prepared> {
  let apart: string | null = null;
  if (request.isolation === 'black_box' && SHARING.has(command.runner)) {
    const why = `${command.runner} runs tests and code in one process: judge it in_process, or have a script call programs`;
    return { ready: false, faults: [`black box judging is not possible: ${why}`] };
  }
  if (request.isolation === 'black_box') {
    apart = testsDir(request);
    if (apart === null)
      return { ready: false, faults: ['black box judging needs tests in a folder of their own, named `tests`'] };
  }
  switch (command.runner) {
    case 'pytest':
    case 'unittest':
      return preparePython(request, { ...command, runner: command.runner }, apart);
    case 'node-test':
      return prepareNode(request, command, apart);
    case 'vitest':
    case 'jest':
      return prepareJavaScript(request, { ...command, runner: command.runner });
    case 'go':
    case 'cargo':
      return prepareToolchain(request, { ...command, runner: command.runner });
    case 'script':
      return prepareScript(request, command, apart);
    default:
      return command satisfies never;
  }
}

async function preparePython(
  request: JudgeRequest,
  command: TestCommand & { readonly runner: 'pytest' | 'unittest' },
  apart: string | null,
): Promise<Prepared> {
  const python = await findPython(request, command.program, command.runner === 'pytest' ? 'pytest' : undefined);
  if (!python.found) return notInstalled(python.missing);
  const { program } = python;
  return { ready: true, invocation: invokePython(request, command, program, apart), toolchain: [program.tool] };
}

async function prepareNode(request: JudgeRequest, command: TestCommand, apart: string | null): Promise<Prepared> {
  const program = await findTestProgram(request, command.program);
  if (program === null) return notInstalled(command.program);
  const invocation = invokeNode(request, command, program, apart);
  if (invocation === null) return missing(`no test file matches: ${request.testCommand}`);
  return { ready: true, invocation, toolchain: [program.tool] };
}

async function prepareJavaScript(
  request: JudgeRequest,
  command: RunnerCommand & { readonly runner: 'vitest' | 'jest' },
): Promise<Prepared> {
  const { runner } = command;
  const node = await findTestProgram(request, command.program);
  if (node === null) return notInstalled(command.program);
  const installed = findInstalled(request, runner);
  if (installed === null) {
    const why = trustsNodeModules(request) ? [] : ['the patch changes node_modules, so nothing in it runs its tests'];
    return { ready: false, faults: [`not installed: ${runner}`, ...why] };
  }
  const { major, minor } = OLDEST[runner];
  if (installed.major < major || (installed.major === major && installed.minor < minor)) {
    const wanted = `${runner} ${installed.tool.version} is too old to be judged, it takes ${major}.${minor} or newer`;
    return { ready: false, faults: [`${wanted}; as sh -c '…' it is judged by its exit code`] };
  }
  const call = invokeJavaScript(request, command, node, installed);
  return { ready: true, ...call, toolchain: [node.tool, installed.tool] };
}

async function prepareToolchain(
  request: JudgeRequest,
  command: RunnerCommand & { readonly runner: 'go' | 'cargo' },
): Promise<Prepared> {
  const program = await findTestProgram(request, command.program);
  if (program === null) return notInstalled(command.program);
  const node = await findTestProgram(request, 'node');
  if (node === null) return notInstalled('node');
  const call = invokeToolchain(request, command, program, node);
  if (call === null) return missing(`no sealed test matches: ${request.testCommand}`);
  return { ready: true, ...call, toolchain: [program.tool, node.tool] };
}

async function prepareScript(request: JudgeRequest, command: ScriptCommand, apart: string | null): Promise<Prepared> {
  const argv = locateScript(request, command, apart);
  if (argv === null) return missing(`no such script: ${request.testCommand}`);
  const brought = apart === null ? broughtProgram(request, argv) : null;
  if (brought !== null) return { ready: false, faults: [`not installed: ${brought}`, BROUGHT] };
  const isFile = command.program.includes('/');
  const wanted = new Set(['sh', ...(isFile ? [] : [command.program]), ...(command.alsoStarts ?? [])]);
  const programs: TestProgram[] = [];
  for (const name of wanted) {
    const program = await findTestProgram(request, name);
    if (program === null) return notInstalled(name);
    programs.push(program);
  }
  return {
    ready: true,
    invocation: invokeScript(request, argv, programs, apart),
    toolchain: programs.map(({ tool }) => tool),
  };
}

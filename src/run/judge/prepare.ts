import type { TestCommand } from './command.ts';
import { MISSING_COMMAND } from './decide.ts';
import type { Invocation } from './inside.ts';
import { findTestProgram, type Program } from './programs.ts';
import { invokeNode } from './runners/node.ts';
import { invokePython } from './runners/python.ts';
import { invokeScript, locateScript } from './runners/script.ts';
import { testsFolder } from './stage.ts';
import type { JudgeRequest } from './types.ts';

/** Ready to run, or why not: faults that block. */
export type Prepared =
  | { readonly ready: true; readonly invocation: Invocation; readonly programs: readonly Program[] }
  | { readonly ready: false; readonly faults: readonly string[] };

type ScriptCommand = Extract<TestCommand, { runner: 'script' }>;

const missing = (what: string): Prepared => ({ ready: false, faults: [MISSING_COMMAND, what] });

/** Finds the programs and lays out the folders that a test command needs. */
export async function prepare(request: JudgeRequest, command: TestCommand): Promise<Prepared> {
  let apart: string | null = null;
  if (request.isolation === 'black_box') {
    apart = testsFolder(request);
    if (apart === null)
      return { ready: false, faults: ['black box judging needs tests in a folder of their own, named `tests`'] };
  }
  switch (command.runner) {
    case 'pytest':
    case 'unittest':
      return preparePython(request, { ...command, runner: command.runner }, apart);
    case 'node-test':
      return prepareNode(request, command, apart);
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
  const program = await findTestProgram(request, command.program, command.runner === 'pytest' ? 'pytest' : undefined);
  if (program === null)
    return missing(`not installed: ${command.program}${command.runner === 'pytest' ? ' with pytest' : ''}`);
  return { ready: true, invocation: invokePython(request, command, program, apart), programs: [program] };
}

async function prepareNode(request: JudgeRequest, command: TestCommand, apart: string | null): Promise<Prepared> {
  const program = await findTestProgram(request, command.program);
  if (program === null) return missing(`not installed: ${command.program}`);
  const invocation = invokeNode(request, command, program, apart);
  if (invocation === null) return missing(`no test file matches: ${request.testCommand}`);
  return { ready: true, invocation, programs: [program] };
}

async function prepareScript(request: JudgeRequest, command: ScriptCommand, apart: string | null): Promise<Prepared> {
  const argv = locateScript(request, command, apart);
  if (argv === null) return missing(`no such script: ${request.testCommand}`);
  const isFile = command.program.includes('/');
  const wanted = new Set(['sh', ...(isFile ? [] : [command.program]), ...(command.alsoStarts ?? [])]);
  const programs: Program[] = [];
  for (const name of wanted) {
    const program = await findTestProgram(request, name);
    if (program === null) return missing(`not installed: ${name}`);
    programs.push(program);
  }
  return { ready: true, invocation: invokeScript(request, argv, programs, apart), programs };
}

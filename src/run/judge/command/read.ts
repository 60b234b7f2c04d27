import { readJavaScriptRunner } from './javascript-runner.ts';
import type { RunnerCommand } from './runner-command.ts';
import { splitLine } from './shell-words.ts';

/** A test command, read. Known runners are called directly by their driver; all else is a script. */
export type TestCommand =
  | RunnerCommand
  | {
      readonly runner: 'script';
      readonly program: string;
      readonly args: readonly string[];
      /** Programs that it will look for by their names. */
      readonly alsoStarts?: readonly string[];
    };

const PYTHON = /^(?:.*\/)?python(?:\d+(?:\.\d+)?)?$/;
const NODE = /^(?:.*\/)?node$/;
const PYTEST = /^(?:.*\/)?(?:pytest|py\.test)$/;
const GO = /^(?:.*\/)?go$/;
const CARGO = /^(?:.*\/)?cargo$/;

/** Null when the text names no command at all. */
export function readTestCommand(text: string): TestCommand | null {
  if (text.trim() === '') return null;
  const line = splitLine(text);
  if (line === null) return throughShell(text);
  const javascript = readJavaScriptRunner(line);
  if (javascript !== null) return javascript;
  if (line.env.length > 0) return throughShell(text);
  const [program = '', ...args] = line.words;
  return readRunner(program, args) ?? { runner: 'script', program, args };
}

function readRunner(program: string, args: readonly string[]): RunnerCommand | null {
  const [first, second] = args;
  if (PYTEST.test(program)) return { runner: 'pytest', program: 'python3', args };
  if (PYTHON.test(program) && first === '-m' && (second === 'pytest' || second === 'unittest')) {
    return { runner: second, program, args: args.slice(2) };
  }
  if (NODE.test(program) && first === '--test') return { runner: 'node-test', program, args: args.slice(1) };
  if (GO.test(program) && first === 'test') return { runner: 'go', program, args: args.slice(1) };
  if (CARGO.test(program) && (first === 'test' || first === 't')) {
    return { runner: 'cargo', program, args: args.slice(1) };
  }
  return null;
}

function throughShell(text: string): TestCommand {
  return { runner: 'script', program: 'sh', args: ['-c', text] };
}

import type { JsonObject } from '../../../../gateway/exchange/json.ts';
import type { Phase } from '../words.ts';
import { optionalNumber, required } from './arguments.ts';
import { runShell } from './bash.ts';
import { editText, readTextOf, writeText } from './files.ts';

export interface AgentTool {
  readonly name: string;
  /** What the model is told of it. */
  readonly shown: JsonObject;
  /** Its answer; what it throws is the model's to read. */
  use(args: JsonObject, cwd: string, signal: AbortSignal): Promise<string> | string;
}

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const EDIT = { type: 'object', required: ['oldText', 'newText'], properties: { oldText: TEXT, newText: TEXT } };

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  needed: string[],
  use: AgentTool['use'],
): AgentTool {
  const parameters = { type: 'object', required: needed, properties };
  return { name, shown: { type: 'function', function: { name, description, parameters, strict: false } }, use };
}

const READ = tool(
  'read',
  'Read a text file, or some lines of it.',
  { path: TEXT, offset: NUMBER, limit: NUMBER },
  ['path'],
  readTextOf,
);
const WRITE = tool(
  'write',
  'Write a file, with the folders it lies in.',
  { path: TEXT, content: TEXT },
  ['path', 'content'],
  writeText,
);
const EDIT_FILE = tool(
  'edit',
  'Replace exact pieces of text in a file, each of which stands there once.',
  { path: TEXT, edits: { type: 'array', items: EDIT } },
  ['path', 'edits'],
  editText,
);
const BASH = tool(
  'bash',
  'Run a command in the repository; at most so many seconds, if a timeout is given.',
  { command: TEXT, timeout: NUMBER },
  ['command'],
  (args, cwd, signal) => runShell(required('bash', args, 'command'), cwd, optionalNumber(args, 'timeout'), signal),
);

/** Those who judge are given no tools to write with, though a shell can do that too. */
export function toolsOf(phase: Phase): readonly AgentTool[] {
  return phase === 'implement' || phase === 'retrospective' ? [READ, WRITE, EDIT_FILE, BASH] : [READ, BASH];
}

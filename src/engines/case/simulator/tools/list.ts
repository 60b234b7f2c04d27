import type { JsonObject } from '../../../../gateway/exchange/json.ts';
import type { CasePhase } from '../pipeline/words.ts';
import { optionalNumber, required } from './arguments.ts';
import { runShell } from './bash.ts';
import { editText, readTextOf, writeText } from './files.ts';

export interface AgentTool {
  readonly name: string;
  /** The tool's definition for the model. */
  readonly shown: JsonObject;
  /** Returns the tool's output. The message of a thrown error is returned to the model. */
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
  'Read a text file, or a range of its lines.',
  { path: TEXT, offset: NUMBER, limit: NUMBER },
  ['path'],
  readTextOf,
);
const WRITE = tool(
  'write',
  'Write a file, creating its parent directories.',
  { path: TEXT, content: TEXT },
  ['path', 'content'],
  writeText,
);
const EDIT_FILE = tool(
  'edit',
  'Replace exact texts in a file. Each must occur exactly once.',
  { path: TEXT, edits: { type: 'array', items: EDIT } },
  ['path', 'edits'],
  editText,
);
const BASH = tool(
  'bash',
  'Run a command in the repository, with an optional timeout in seconds.',
  { command: TEXT, timeout: NUMBER },
  ['command'],
  (args, cwd, signal) => runShell(required('bash', args, 'command'), cwd, optionalNumber(args, 'timeout'), signal),
);

/** Evaluators get no write tools, although they can write through the shell. */
export function toolsOf(phase: CasePhase): readonly AgentTool[] {
  return phase === 'implement' || phase === 'retrospective' ? [READ, WRITE, EDIT_FILE, BASH] : [READ, BASH];
}

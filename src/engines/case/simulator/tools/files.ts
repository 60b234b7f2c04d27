import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type JsonObject, objectsIn, textIn } from '../../../../gateway/exchange/json.ts';
import { systemCode } from '../../../../kernel/errors.ts';
import { optionalNumber, required } from './arguments.ts';

const MAX_LINES = 2000;

export function readTextOf(args: JsonObject, cwd: string): string {
  const path = required('read', args, 'path');
  const lines = readFileSync(resolve(cwd, path), 'utf8').split('\n');
  const offset = Math.max(1, optionalNumber(args, 'offset') ?? 1);
  if (offset > lines.length) {
    throw new Error(`Offset ${offset} is beyond end of file (${lines.length} lines total)`);
  }
  const end = offset - 1 + Math.min(optionalNumber(args, 'limit') ?? MAX_LINES, MAX_LINES);
  const text = lines.slice(offset - 1, end).join('\n');
  if (end >= lines.length) return text;
  return `${text}\n\n[${lines.length - end} more lines in file. Use offset=${end + 1} to continue.]`;
}

export function writeText(args: JsonObject, cwd: string): string {
  const path = required('write', args, 'path');
  const content = required('write', args, 'content');
  const file = resolve(cwd, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return `Successfully wrote ${content.length} bytes to ${path}`;
}

/** Each text to replace must occur exactly once in the original file. */
export function editText(args: JsonObject, cwd: string): string {
  const path = required('edit', args, 'path');
  const before = readOrSay(resolve(cwd, path), path);
  const edits = objectsIn(args['edits']).map((edit) => {
    const oldText = textIn(edit['oldText']);
    if (oldText === '') throw new Error(`oldText must not be empty in ${path}.`);
    return { oldText, newText: textIn(edit['newText']), at: findOnce(before, oldText, path) };
  });
  if (edits.length === 0) throw new Error('Edit tool input is invalid. edits must contain at least one replacement.');
  let after = before;
  for (const { oldText, newText, at } of edits.toSorted((a, b) => b.at - a.at)) {
    after = after.slice(0, at) + newText + after.slice(at + oldText.length);
  }
  writeFileSync(resolve(cwd, path), after);
  return `Successfully replaced ${edits.length} block(s) in ${path}.`;
}

function readOrSay(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new Error(`File not found: ${path}`, { cause: error });
    throw error;
  }
}

function findOnce(text: string, wanted: string, path: string): number {
  const count = text.split(wanted).length - 1;
  if (count === 1) return text.indexOf(wanted);
  throw new Error(
    count === 0
      ? `Could not find the exact text in ${path}. The old text must match exactly including all whitespace and newlines.`
      : `Found ${count} occurrences of the text in ${path}. The text must be unique. Please provide more context to make it unique.`,
  );
}

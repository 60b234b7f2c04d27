import { prettyJson } from '../../../../kernel/canonical.ts';
import { messageOf } from '../../../../kernel/errors.ts';
import { MAX_DEPTH, plainOf, tableOf } from '../value.ts';
import { type Format, openText, type Reading } from './format.ts';

export const json: Format = { read: readJsonTable, write: (table) => prettyJson(plainOf(table)) };

function readJsonTable(text: string): Reading {
  const opened = openText(text);
  return 'fault' in opened ? opened : parseJsonTable(opened.text);
}

/** An object whose keys are all different. Its length is the caller's to limit. */
export function parseJsonTable(text: string): Reading {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { fault: `is not JSON: ${messageOf(error)}` };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return { fault: 'is not a JSON object' };
  const fault = faultOfShape(text);
  return fault === null ? { table: tableOf(parsed) } : { fault };
}

/**
 * `JSON.parse` keeps the last of two equal keys, other readers the first, which makes no difference for equal texts. The text
 * is known to be JSON.
 */
function faultOfShape(text: string): string | null {
  const open: (Map<string, string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '{') open.push(new Map());
    else if (char === '[') open.push(null);
    else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      const colon = skipSpace(text, end);
      if (text.charAt(colon) === ':') {
        const name = String(JSON.parse(text.slice(at, end)));
        const value = textValueAt(text, skipSpace(text, colon + 1));
        const names = open.at(-1);
        if (names?.has(name) === true && (value === '' || names.get(name) !== value)) {
          return `has the key ${JSON.stringify(name)} twice`;
        }
        names?.set(name, value);
      }
      at = end - 1;
    }
    if (open.length > MAX_DEPTH) return `nests deeper than ${MAX_DEPTH} levels`;
  }
  return null;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** With its quotes; empty where the value is no text. */
function textValueAt(text: string, start: number): string {
  return text.charAt(start) === '"' ? text.slice(start, endOfString(text, start)) : '';
}

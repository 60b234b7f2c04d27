import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type * as z from 'zod/mini';
import { messageOf, systemCode } from '../../kernel/errors.ts';
import { positionInToml, type TomlPath } from './toml-positions.ts';

/** Reads a TOML file against a schema. Returns null and adds every fault to `faults` if it is invalid. */
export function readToml<T extends z.ZodMiniType>(path: string, form: T, faults: string[]): z.infer<T> | null {
  const text = readText(path, faults);
  if (text === null) return null;
  const file = basename(path);
  const value = parseTomlText(text, file, faults);
  if (value === null) return null;
  const parsed = form.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const fault of schemaFaults(parsed.error)) {
    const place = positionInToml(text, fault.path);
    faults.push(`${file}${place === null ? '' : ` line ${place.line}, column ${place.column}`}: ${fault.text}`);
  }
  return null;
}

/** Null, with the reason in `faults`: the text is not TOML. */
export function parseTomlText(text: string, file: string, faults: string[]): object | null {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'invalid TOML';
    faults.push(`${file} line ${error.line}, column ${error.column}: ${what}`);
    return null;
  }
}

/** Every fault that a schema found, with the path of its key. A missing key has the path of where it belongs. */
export function schemaFaults(error: z.core.$ZodError): { readonly path: TomlPath; readonly text: string }[] {
  return error.issues.map((issue) => {
    const own = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const path = [...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)), ...own];
    return { path, text: describeIssue(issue) };
  });
}

/** A file's text; null, with the reason in `faults`, if it is missing, unreadable or not UTF-8. */
export function readText(path: string, faults: string[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    faults.push(`${basename(path)} ${describeUnreadable(error)}`);
    return null;
  }
}

function describeUnreadable(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return 'is missing';
    case 'EISDIR':
      return 'is a directory, not a file';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'is not UTF-8 text';
    default:
      return `cannot be read (${systemCode(error) ?? messageOf(error)})`;
  }
}

export function describeIssue(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown key ${issue.keys.map((key) => (at === '' ? key : `${at}.${key}`)).join(', ')}`;
    case 'invalid_value':
      return `${at} must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      return `${at} must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return `${at} must be at most ${issue.maximum}`;
    case 'too_small':
      return `${at} must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`;
    default:
      return `${at}: ${issue.message}`;
  }
}

/** TOML's names for the schema's types. */
const NOUNS: Readonly<Record<string, string>> = {
  string: 'a quoted string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'a table',
  record: 'a table',
};

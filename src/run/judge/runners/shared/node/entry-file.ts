import { dirname, join } from 'node:path';
import type { BaseFiles } from '../../../command/base-files.ts';

const NODE = /^(?:.*\/)?node$/;
const SOURCE = /\.[cm]?[jt]s$/;
const VALUED = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '-C', '--conditions']);
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(["'])([^"'\n]+)\1/g;
const MAX_FILES = 50;

/** The words after `node`, if the file that it starts uses a package, by itself or by files beside it. */
export function nodeProgramUsing(name: string, words: readonly string[], files: BaseFiles): readonly string[] | null {
  const [program = '', ...args] = words;
  const entry = NODE.test(program) ? entryOf(args) : null;
  return entry !== null && uses(name, entry, files) ? args : null;
}

/** The same for a command. */
export function entryIn(args: readonly string[]): { readonly entry?: string } {
  const entry = entryOf(args);
  return entry === null ? {} : { entry };
}

/** The file among the words for node; null: there is none. */
export function entryOf(args: readonly string[]): string | null {
  const at = args.findIndex((word, index) => !word.startsWith('-') && !VALUED.has(args[index - 1] ?? ''));
  const entry = args[at];
  return entry === undefined || args.slice(0, at).some((word) => /^(?:--test|-e|-p|--eval|--print)$/.test(word))
    ? null
    : entry;
}

function uses(name: string, entry: string, files: BaseFiles): boolean {
  const seen = new Set<string>();
  const pending = [entry];
  for (let path = pending.pop(); path !== undefined && seen.size < MAX_FILES; path = pending.pop()) {
    const found = readSource(path, files);
    if (found === null || seen.has(found.path)) continue;
    seen.add(found.path);
    for (const [, , specifier = ''] of found.text.matchAll(SPECIFIER)) {
      if (specifier === name) return true;
      if (specifier.startsWith('.')) pending.push(join(dirname(found.path), specifier));
    }
  }
  return false;
}

function readSource(path: string, files: BaseFiles): { readonly path: string; readonly text: string } | null {
  const names = SOURCE.test(path) ? [path] : [path, `${path}.js`, `${path}/index.js`];
  for (const name of names) {
    const text = files.source(name);
    if (text !== null) return { path: name, text };
  }
  return null;
}

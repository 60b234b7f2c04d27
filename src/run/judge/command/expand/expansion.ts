import type { BaseFiles } from '../base-files.ts';
import type { CommandLine } from '../command-line.ts';

/** A command text in its directory. */
export interface PlacedText {
  readonly text: string;
  /** From the workspace. */
  readonly dir: string;
  readonly env?: readonly (readonly [string, string])[];
}

/** What a command stands for. */
export type Expansion =
  /** These, one after the other; each must succeed. */
  | { readonly kind: 'texts'; readonly texts: readonly PlacedText[]; readonly usesNode: boolean }
  /** Another program, called directly. */
  | { readonly kind: 'line'; readonly line: CommandLine }
  /** Nothing: there is no such script or target. */
  | { readonly kind: 'missing'; readonly what: string }
  /** It ignores failures by itself. */
  | { readonly kind: 'hides'; readonly why: string };

/** Null: the command is not one of its own, or cannot be read; it then runs as it is. */
export type Expander = (line: CommandLine, dir: string, files: BaseFiles) => Expansion | null;

export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A path in a directory, both from the workspace; null: it leads out. */
export function below(dir: string, path: string): string | null {
  const parts: string[] = path.startsWith('/workspace/') || path === '/workspace' ? [] : split(dir);
  if (path.startsWith('/') && !/^\/workspace(?:\/|$)/.test(path)) return null;
  for (const part of split(path.replace(/^\/workspace/, ''))) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..') parts.push(part);
  }
  return parts.join('/');
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

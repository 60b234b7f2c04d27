import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readTestCommand, type TestCommand } from './command.ts';

const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn']);
const packageFile = z.object({ scripts: z.optional(z.record(z.string(), z.string())) });

/**
 * `npm test` and the like, replaced by what they would run: a package manager reads configuration from the tree that can make
 * any script exit 0. A known runner is then called as always, all else through `sh`. Other commands come back as they are.
 * Null: the tree has no such script.
 */
export function withoutPackageManager(command: TestCommand, workspace: string): TestCommand | null {
  const asked = PACKAGE_MANAGERS.has(command.program) ? scriptAsked(command.args) : null;
  if (asked === null) return command;
  const scripts = readScripts(workspace);
  const own = scripts[asked.name];
  if (own === undefined) return null;
  const main = [own, ...asked.words.map(quote)].join(' ');
  const before = scripts[`pre${asked.name}`];
  const after = scripts[`post${asked.name}`];
  const text = [before, main, after].filter((part) => part !== undefined).join(' && ');
  const direct = readTestCommand(text);
  if (direct !== null && direct.runner !== 'script') return direct;
  return { runner: 'script', program: 'sh', args: ['-c', text], alsoStarts: ['node'] };
}

/** `test`, `t`, `run <name>`, and words for the script itself after `--`. Null: something else is asked of the manager. */
function scriptAsked(args: readonly string[]): { readonly name: string; readonly words: readonly string[] } | null {
  const [verb, ...rest] = args;
  const named =
    verb === 'run' || verb === 'run-script' ? rest : verb === 'test' || verb === 't' ? ['test', ...rest] : [];
  const [name, separator, ...words] = named;
  if (name === undefined || name.startsWith('-') || (separator !== undefined && separator !== '--')) return null;
  return { name, words };
}

function readScripts(workspace: string): Readonly<Record<string, string>> {
  try {
    return packageFile.parse(JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'))).scripts ?? {};
  } catch {
    return {};
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

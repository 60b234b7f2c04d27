import { copyFileSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readTestCommand, type TestCommand } from './read.ts';
import { readJavaScriptRunner } from './javascript-runner.ts';

const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn']);
/** Scripts that name each other come to an end. */
const DEEPEST_SCRIPT = 8;
type Scripts = Readonly<Record<string, string>>;
const PACKAGE_FILE = 'package.json';
const packageFile = z.object({ scripts: z.optional(z.record(z.string(), z.string())) });

/**
 * `npm test` and the like, replaced by what they would run: a package manager reads configuration from the tree that can make
 * any script exit 0. A known runner is then called as always, all else through `sh`. Other commands come back as they are.
 * Null: the tree has no such script.
 */
export function withoutPackageManager(command: TestCommand, dir: string): TestCommand | null {
  return command.runner === 'script' ? resolveScript(command, readScripts(dir), 0) : command;
}

/** Keeps the package.json that a tree has now, for `scriptsIn`. Gives the folder, which is not made for a tree without one. */
export function keepScripts(tree: string, dir: string): string {
  const file = join(tree, PACKAGE_FILE);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return dir;
  mkdirSync(dir);
  copyFileSync(file, join(dir, PACKAGE_FILE));
  return dir;
}

function resolveScript(command: TestCommand, scripts: Scripts, depth: number): TestCommand | null {
  if (!PACKAGE_MANAGERS.has(command.program)) return command;
  const asked = scriptAsked(command, scripts);
  if (asked === null) return readJavaScriptRunner({ env: [], words: command.args }) ?? command;
  const own = scripts[asked.name];
  if (own === undefined) return null;
  const main = [own, ...asked.words.map(quote)].join(' ');
  const before = scripts[`pre${asked.name}`];
  const after = scripts[`post${asked.name}`];
  const text = [before, main, after].filter((part) => part !== undefined).join(' && ');
  const direct = readTestCommand(text);
  if (direct !== null && direct.runner !== 'script') return direct;
  if (direct !== null && PACKAGE_MANAGERS.has(direct.program) && depth < DEEPEST_SCRIPT) {
    return resolveScript(direct, scripts, depth + 1);
  }
  return { runner: 'script', program: 'sh', args: ['-c', text], alsoStarts: ['node'] };
}

interface AskedScript {
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * `test`, `t`, `run <name>`, with pnpm and yarn also the name alone; words for the script itself after `--`. Null: something
 * else is asked of the manager.
 */
function scriptAsked({ program, args }: TestCommand, scripts: Scripts): AskedScript | null {
  const [verb = '', ...rest] = args;
  if (program !== 'npm' && Object.hasOwn(scripts, verb)) {
    return { name: verb, words: rest[0] === '--' ? rest.slice(1) : rest };
  }
  const named =
    verb === 'run' || verb === 'run-script' ? rest : verb === 'test' || verb === 't' ? ['test', ...rest] : [];
  const [name, separator, ...words] = named;
  if (name === undefined || name.startsWith('-') || (separator !== undefined && separator !== '--')) return null;
  return { name, words };
}

function readScripts(dir: string): Scripts {
  try {
    return packageFile.parse(JSON.parse(readFileSync(join(dir, PACKAGE_FILE), 'utf8'))).scripts ?? {};
  } catch {
    return {};
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

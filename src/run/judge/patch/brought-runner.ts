import { lstatSync, readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { isWithin } from '../../../kernel/path-text.ts';
import { below } from '../command/expand/expansion.ts';
import { flatten } from '../command/shell/flatten.ts';
import { parseShell } from '../command/shell/parse.ts';
import { simpleCommands } from '../command/shell/visit.ts';
import { isBrought, isTouched, pathKey, type PatchFacts } from './patch-facts.ts';
import type { RunnerCommand } from '../runners/definition.ts';
import { WORKSPACE } from '../sandbox/layout.ts';
import { isTestProgram } from './test-tools.ts';
import type { JudgeRequest } from '../types.ts';

const INTERPRETER = /^(?:.*\/)?(?:(?:ba|da|z|k)?sh|node|deno|bun|python[\d.]*|ruby|perl|php)$/;
const NODE = /^(?:.*\/)?node$/;
const SHELL = /sh$/;
const IS_CODE = /^(?:-[cep]|--eval|--print)$/;
const LOADS_FILE = /^(?:-r|--require|--import|--loader|--experimental-loader|-W|-X)$/;
const LOADS_JOINED = /^--(?:require|import|loader|experimental-loader)=(.*)$/s;
const NODE_MODULES = 'node_modules';
const BIN = `${NODE_MODULES}/.bin`;

/** Whether node_modules of a directory is what the setup or the base has there: packages of the patch run no tests. */
export function trustsNodeModules({ patch, readOnly = [] }: JudgeRequest, dir = ''): boolean {
  const path = join(dir, NODE_MODULES);
  return (
    readOnly.some(({ target }) => isWithin(`${WORKSPACE}/${path}`, target)) ||
    patch === undefined ||
    !isTouched(patch, pathKey(path))
  );
}

/** Directories of programs that a script of the tree finds by their names, from the workspace: its own directory's first. */
export function binDirs(request: JudgeRequest, dir: string): readonly string[] {
  return [...new Set([dir, ''])].filter((one) => trustsNodeModules(request, one)).map((one) => join(one, BIN));
}

/** The program of a command that only the patch brings; null: none does. `argv` is what would be started in `dir`. */
export function broughtProgram(request: JudgeRequest, argv: readonly string[], dir: string): string | null {
  const { patch } = request;
  if (patch === undefined) return null;
  const lines = [{ words: argv, dir }, ...(argv[1] === '-c' ? linesOf(argv[2] ?? '', dir) : [])];
  for (const line of lines) {
    const found = broughtByPath(request, patch, line);
    if (found !== null) return found;
  }
  return broughtToBin(request, patch, argv, dir) ?? broughtToPath(patch, argv);
}

/** A file that the call of a runner starts, or has node load, and that only the patch brings; null: none. */
export function broughtFile(request: JudgeRequest, { program, args, entry, dir = '' }: RunnerCommand): string | null {
  const { patch } = request;
  if (patch === undefined) return null;
  const loaded = args.flatMap((word, at) =>
    LOADS_FILE.test(word) ? [args[at + 1] ?? ''] : (LOADS_JOINED.exec(word)?.[1] ?? []),
  );
  const named = [...(NODE.test(program) ? loaded : []), ...(entry === undefined ? [] : [entry])].map((word) => ({
    word,
    paths: [word],
  }));
  return firstBrought(request, patch, named, dir);
}

interface PlacedWords {
  readonly words: readonly string[];
  /** From the workspace. */
  readonly dir: string;
}

/** The commands in a text for a shell. */
function linesOf(text: string, dir: string): readonly PlacedWords[] {
  const parts = flatten(text, { text, dir });
  if (parts !== null && parts.every(({ line }) => line !== null)) {
    return parts.map(({ line, placed }) => ({ words: line?.words ?? [], dir: placed.dir }));
  }
  const tree = parseShell(text);
  return (tree === null ? [] : simpleCommands(tree)).map(({ words }) => ({
    words: words.map(({ value, text: word }) => value ?? word),
    dir,
  }));
}

/** The files that decide: `./bin/check`, `sh -e run.sh`, `node --import ./a.js run.js`, `python3 -m check`. */
function broughtByPath(request: JudgeRequest, patch: PatchFacts, { words, dir }: PlacedWords): string | null {
  const [program = '', ...args] = words;
  const named = INTERPRETER.test(program) ? scriptsNamed(program, args) : [{ word: program, paths: [program] }];
  return firstBrought(request, patch, named, dir);
}

function firstBrought(
  { sealedTests }: JudgeRequest,
  patch: PatchFacts,
  named: readonly NamedScript[],
  dir: string,
): string | null {
  const isSealed = (path: string): boolean => sealedTests !== null && /^tests(?:\/|$)/.test(path);
  const isOfPatch = (word: string): boolean => {
    const path = below(dir, word);
    return path !== null && path !== '' && !isSealed(path) && isBrought(patch, pathKey(path));
  };
  const brought = named.find(({ paths }) => paths.some(isOfPatch));
  return brought === undefined ? null : plainPath(brought.word);
}

interface NamedScript {
  readonly word: string;
  readonly paths: readonly string[];
}

/** What an interpreter is told to load, up to its script. */
function scriptsNamed(program: string, args: readonly string[]): readonly NamedScript[] {
  const named: NamedScript[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const next = args[at + 1] ?? '';
    const joined = LOADS_JOINED.exec(word)?.[1];
    if (SHELL.test(program) ? word === '-c' : IS_CODE.test(word)) break;
    if (word === '-m') return [...named, { word: next, paths: modulePaths(next) }];
    if (joined !== undefined) {
      named.push({ word: joined, paths: [joined] });
    } else if (LOADS_FILE.test(word)) {
      at += 1;
      named.push({ word: next, paths: [next] });
    } else if (!word.startsWith('-')) {
      return [...named, { word, paths: [word] }];
    }
  }
  return named;
}

function modulePaths(name: string): string[] {
  const path = name.replaceAll('.', '/');
  return [path, `${path}.py`];
}

const plainPath = (word: string): string =>
  normalize(word)
    .replace(/^\/workspace\//, '')
    .replace(/\/$/, '');

/** A program name that the command would find in a `node_modules/.bin` which the patch changed. */
function broughtToBin(request: JudgeRequest, patch: PatchFacts, argv: readonly string[], dir: string): string | null {
  for (const holder of new Set([dir, ''])) {
    if (trustsNodeModules(request, holder)) continue;
    const bin = join(holder, BIN);
    const place = join(request.workspace, bin);
    const there = lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(place) : [];
    const brought = patch.changes.map(({ path }) => path.toString()).filter((path) => path.startsWith(`${bin}/`));
    const offered = new Set([...there, ...brought.map((path) => path.slice(bin.length + 1))]);
    const found = wordsOf(argv).find((word) =>
      offered.has(plainPath(word).replace(`${bin}/`, '').replace(`${BIN}/`, '')),
    );
    if (found !== undefined) return found;
  }
  return null;
}

/** A runner that the command's own PATH would lead to, in a directory that the patch brings it to. */
function broughtToPath({ changes }: PatchFacts, argv: readonly string[]): string | null {
  const words = wordsOf(argv);
  if (!words.some((word) => /^PATH\+?=/.test(word))) return null;
  const programs = new Set(
    changes.flatMap(({ path, after }) =>
      after === null || (after.kind === 'file' && !after.executable) ? [] : [path.toString().split('/').at(-1) ?? ''],
    ),
  );
  return words.find((word) => isTestProgram(word) && programs.has(word)) ?? null;
}

/** Everything that may be a word of the command, also inside a shell line. */
function wordsOf(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word) => word.split(/[\s;&|()<>'"`]+/)).filter((word) => word !== '');
}

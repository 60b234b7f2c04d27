import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../confine/bwrap/mount-masks.ts';
import { WORKSPACE } from './sandbox/layout.ts';
import { isBrought, isTouched, type PatchFacts } from './patch-facts.ts';
import { splitLine } from './command/shell-words.ts';
import { isTestProgram } from './test-tools.ts';
import type { JudgeRequest } from './types.ts';

const INTERPRETER = /^(?:.*\/)?(?:(?:ba|da|z|k)?sh|node|deno|bun|python[\d.]*|ruby|perl|php)$/;
const SHELL = /sh$/;
const IS_CODE = /^(?:-[cep]|--eval|--print)$/;
const LOADS_FILE = /^(?:-r|--require|--import|--loader|--experimental-loader|-W|-X)$/;
const NODE_MODULES = 'node_modules';
const BIN = `${NODE_MODULES}/.bin`;

/** Whether node_modules is what the setup or the base has there: packages of the patch run no tests. */
export function trustsNodeModules({ patch, readOnly = [] }: JudgeRequest): boolean {
  const inside = `${WORKSPACE}/${NODE_MODULES}`;
  return (
    readOnly.some(({ target }) => isWithin(inside, target)) || patch === undefined || !isTouched(patch, NODE_MODULES)
  );
}

/** The program of a command that only the patch brings; null: none does. `argv` is what would be started. */
export function broughtProgram(request: JudgeRequest, argv: readonly string[]): string | null {
  const { patch } = request;
  if (patch === undefined) return null;
  const line = argv[1] === '-c' ? splitLine(argv[2] ?? '')?.words : undefined;
  return (
    broughtByPath(request, patch, argv) ??
    (line === undefined ? null : broughtByPath(request, patch, line)) ??
    broughtToBin(request, patch, argv) ??
    broughtToPath(patch, argv)
  );
}

/** The files that decide: `./bin/check`, `sh -e run.sh`, `node --import ./a.js run.js`, `python3 -m check`. */
function broughtByPath({ sealedTests }: JudgeRequest, patch: PatchFacts, argv: readonly string[]): string | null {
  const [program = '', ...args] = argv;
  const isSealed = (path: string): boolean => sealedTests !== null && /^tests(?:\/|$)/.test(path);
  const named = INTERPRETER.test(program)
    ? scriptsNamed(program, args)
    : [{ word: program, paths: [plainPath(program)] }];
  const brought = named.find(({ paths }) => paths.some((path) => !isSealed(path) && isBrought(patch, path)));
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
    if (SHELL.test(program) ? word === '-c' : IS_CODE.test(word)) break;
    if (word === '-m') return [...named, { word: next, paths: modulePaths(next) }];
    if (LOADS_FILE.test(word)) {
      at += 1;
      named.push({ word: next, paths: [plainPath(next)] });
    } else if (!word.startsWith('-')) {
      return [...named, { word, paths: [plainPath(word)] }];
    }
  }
  return named;
}

function modulePaths(name: string): string[] {
  const path = name.replaceAll('.', '/');
  return [path, `${path}.py`];
}

const plainPath = (word: string): string => word.replace(/^(?:\.\/|\/workspace\/)+/, '').replace(/\/+$/, '');

/** A name that the command would find in the tree's node_modules/.bin, which the patch had its hands in. */
function broughtToBin(request: JudgeRequest, patch: PatchFacts, argv: readonly string[]): string | null {
  if (trustsNodeModules(request)) return null;
  const dir = join(request.workspace, BIN);
  const there = lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(dir) : [];
  const brought = patch.changes.map(({ path }) => path.toString()).filter((path) => path.startsWith(`${BIN}/`));
  const offered = new Set([...there, ...brought.map((path) => path.slice(BIN.length + 1))]);
  return wordsOf(argv).find((word) => offered.has(plainPath(word).replace(`${BIN}/`, ''))) ?? null;
}

/** A runner that the command's own PATH would lead to, in a folder that the patch brings it to. */
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

/** All that may be a word of the command, also inside a line for a shell. */
function wordsOf(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word) => word.split(/[\s;&|()<>'"`]+/)).filter((word) => word !== '');
}

import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { sha256 } from '../../kernel/digest.ts';
import { runTool } from '../processes/spawn.ts';
import type { FoundTool } from './tool-cache.ts';

/** What a candidate says about itself, and the files that the answer rests on. */
export interface Identified {
  readonly found: FoundTool | null;
  readonly restsOn: readonly string[];
}

interface Question {
  readonly name: string;
  readonly candidate: string;
  readonly needsModule: string | null;
  readonly path: string;
}

export async function identifyTool(question: Question): Promise<Identified> {
  const restsOn = [question.candidate, realpathSync(question.candidate), ...versionChoices(question.candidate)];
  const { found, restsOn: more } = await ask(question);
  return { found, restsOn: [...restsOn, ...more] };
}

function ask(question: Question): Promise<Identified> {
  if (/^python[\d.]*$/.test(question.name)) return askPython(question);
  if (question.name === 'node') return askNode(question);
  return askAny(question);
}

/** The files by which version managers choose what a shim leads to. */
function versionChoices(candidate: string): string[] {
  const root = dirname(dirname(candidate));
  return isScript(candidate) ? [join(root, 'version'), join(homedir(), '.tool-versions')] : [];
}

const PYTHON_QUESTION = `
import importlib.util, json, platform, sys, sysconfig
spec = importlib.util.find_spec(sys.argv[1]) if sys.argv[1] else None
print(json.dumps({
  "executable": sys.executable, "prefixes": [sys.prefix, sys.base_prefix], "version": platform.python_version(),
  "module": spec.origin if spec else None, "packages": sysconfig.get_path("purelib"),
}))`;

const pythonAnswer = z.object({
  executable: z.string(),
  prefixes: z.array(z.string()),
  version: z.string(),
  module: z.nullable(z.string()),
  packages: z.string(),
});

async function askPython({ name, candidate, needsModule, path }: Question): Promise<Identified> {
  const said = await run(candidate, ['-I', '-c', PYTHON_QUESTION, needsModule ?? ''], path);
  const answer = pythonAnswer.safeParse(parseJson(said));
  if (!answer.success) return { found: null, restsOn: [] };
  const { executable, prefixes, version, module, packages } = answer.data;
  const restsOn = [executable, packages, ...(module === null ? [] : [module])];
  if (needsModule !== null && module === null) return { found: null, restsOn };
  return {
    found: { tool: { name, path: executable, version, sha256: digestOf(executable) }, needs: prefixes },
    restsOn,
  };
}

async function askNode({ name, candidate, path }: Question): Promise<Identified> {
  const said = await run(candidate, ['-p', 'JSON.stringify([process.execPath, process.versions.node])'], path);
  const answer = z.tuple([z.string(), z.string()]).safeParse(parseJson(said));
  if (!answer.success) return { found: null, restsOn: [] };
  const [executable, version] = answer.data;
  const needs = [executable, ...(await librariesOf(executable))];
  return {
    found: { tool: { name, path: executable, version, sha256: digestOf(executable) }, needs },
    restsOn: [executable],
  };
}

/** Programs that find the rest of their toolchain beside the folder they lie in. */
const TOOLCHAINS = new Set(['go', 'cargo']);
const VERSION_WORD: Readonly<Record<string, string>> = { go: 'version' };

async function askAny({ name, candidate, path }: Question): Promise<Identified> {
  const program = await behindRustup(name, candidate, path);
  const real = realpathSync(program);
  const version =
    /\d+(\.\d+)+\S*/.exec(await run(program, [VERSION_WORD[name] ?? '--version'], path))?.[0] ?? 'unknown';
  // A program that goes by several names (busybox, clang) looks at the one it was called by.
  const command = basename(real) === basename(program) ? real : program;
  const hasToolchain = program !== candidate || TOOLCHAINS.has(name);
  const needs = [
    dirname(program),
    dirname(real),
    ...(hasToolchain ? [dirname(dirname(real))] : []),
    ...packageOf(real),
  ];
  const libraries = isScript(real) ? [] : await librariesOf(real);
  return {
    found: { tool: { name, path: command, version, sha256: digestOf(real) }, needs: [...needs, ...libraries] },
    restsOn: [program, real],
  };
}

/** A script of a Node package needs the package: npm and its like are no more than a line that loads the rest. */
function packageOf(script: string): string[] {
  const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(script)?.[1];
  return found === undefined ? [] : [found];
}

/** `cargo` and its like are one program that starts the chosen toolchain's; the toolchain alone is enough. */
async function behindRustup(name: string, candidate: string, path: string): Promise<string> {
  const real = realpathSync(candidate);
  const told = basename(real) === 'rustup' ? await run(real, ['which', name], path) : '';
  return told.startsWith('/') ? told : candidate;
}

/** Shared libraries, wherever they lie; the caller leaves out what belongs to the system. */
async function librariesOf(executable: string): Promise<string[]> {
  const { stdout } = await runTool('ldd', [executable]);
  return [...stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path = '']) => path);
}

/** Shims need to know where home is and what else is on the PATH; nothing more of the caller's environment. */
async function run(file: string, args: readonly string[], path: string): Promise<string> {
  const result = await runTool(file, args, { env: { PATH: path, HOME: homedir() }, timeoutMs: 15_000 });
  return result.exitCode === 0 ? result.stdout.trim() : '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const digestOf = (path: string): string => sha256(readFileSync(realpathSync(path)));

function isScript(path: string): boolean {
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(fd, start);
    return start.toString('latin1') === '#!';
  } finally {
    closeSync(fd);
  }
}

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { readHomes } from '../bwrap/mount-masks.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { identifyGo, identifyRust, isRustProgram } from './identify-compiler.ts';
import { identifyPython } from './identify-python.ts';
import { nodePackageOf, nodePackagesOf } from './node-packages.ts';
import { behindPyenv, pyenvFilesBehind } from './pyenv.ts';
import { systemDirs } from '../bwrap/system-layout.ts';
import {
  ask,
  digestOf,
  DOES_NOT_SERVE,
  type Identified,
  interpreterOf,
  isSameFile,
  librariesOf,
  type ToolQuestion,
} from './tool-question.ts';

/** Runs a candidate to identify it. Without an answer, nothing is assumed. */
export function identifyTool(question: ToolQuestion): Promise<Identified> {
  const { name, isNeverRun } = question;
  if (isNeverRun) return identifyOther(question);
  if (/^python[\d.]*$/.test(name)) return identifyPython(question);
  if (name === 'node') return identifyNode(question);
  if (name === 'go') return identifyGo(question);
  return isRustProgram(name) ? identifyRust(question) : identifyOther(question);
}

async function identifyNode({ name, candidate, env }: ToolQuestion): Promise<Identified> {
  const said = await ask(candidate, ['-p', 'JSON.stringify([process.execPath, process.versions.node])'], env);
  const answer = z.tuple([z.string(), z.string()]).safeParse(said === null ? null : parseJson(said));
  if (!answer.success) return DOES_NOT_SERVE;
  const [executable, version] = answer.data;
  const libraries = await librariesOf(executable);
  return {
    found: {
      tool: { name, path: executable, version, sha256: digestOf(executable) },
      needs: [executable, ...libraries],
      links: [],
    },
    // A shim such as nvm or volta may choose by anything, so the answer cannot be cached.
    restsOn: isSameFile(candidate, executable) ? [executable, ...libraries] : null,
  };
}

async function identifyOther(question: ToolQuestion): Promise<Identified> {
  const { name, candidate, env, isNeverRun } = question;
  const program = (await behindPyenv(name, candidate, env)) ?? candidate;
  const real = realpathSync(program);
  const version = name === 'sh' || isNeverRun ? UNKNOWN : await versionOf(program, env);
  // A multi-call program (busybox, clang) depends on the name it is called by.
  const isOneName = basename(real) === basename(program);
  const script = interpreterOf(real);
  const nodePackage = script === null ? null : nodePackageOf(real);
  // An agent is shown with all that it is made of; the command of a test finds its packages in the workspace.
  const packages = nodePackage !== null && isNeverRun ? nodePackagesOf(real) : null;
  const libraries = script === null ? await librariesOf(real) : [];
  const interpreter = script === null ? null : await interpreterParts(script, question);
  const needs = [real, ...around(program), ...around(real), ...(interpreter ?? []), ...libraries];
  return {
    found: {
      tool: { name, path: isOneName ? real : program, version: version ?? UNKNOWN, sha256: digestOf(real) },
      needs: [...needs, ...(packages?.roots ?? (nodePackage === null ? [] : [nodePackage]))],
      links: [...(program === real ? [] : [{ path: program, to: real }]), ...(packages?.links ?? [])],
    },
    // Where packages lie beside each other, any change of a directory may lead to others.
    restsOn:
      version === null || (packages?.roots.length ?? 0) > 1
        ? null
        : factsBehind(question, program, real, script, nodePackage),
  };
}

const UNKNOWN = 'unknown';

async function versionOf(program: string, env: ToolQuestion['env']): Promise<string | null> {
  return /\d+(\.\d+)+\S*/.exec((await ask(program, ['--version'], env)) ?? '')?.[0] ?? null;
}

/** A script, or a program called by another name, may start anything, so only known kinds of them are cached. */
function factsBehind(
  { candidate }: ToolQuestion,
  program: string,
  real: string,
  script: string | null,
  nodePackage: string | null,
): readonly string[] | null {
  const chosenBy = program === candidate ? [] : pyenvFilesBehind(candidate);
  if (chosenBy === null) return null;
  const isSystems = [program, real].every((path) => systemDirs().some((dir) => isWithin(path, dir)));
  if (script === null) return isSystems || basename(real) === basename(program) ? [program, real, ...chosenBy] : null;
  return nodePackage === null ? null : [program, real, join(nodePackage, 'package.json'), ...chosenBy];
}

/** The directory of a program, unless it is in a home: users keep scripts with passwords in ~/bin. */
function around(program: string): string[] {
  const dir = dirname(program);
  return readHomes().some((home) => isWithin(dir, home)) ? [] : [dir];
}

/** Dependencies of a script whose first line names a Python by its path, as pip writes them. */
async function interpreterParts(line: string, question: ToolQuestion): Promise<readonly string[]> {
  const path = line.split(/\s+/)[0] ?? '';
  if (!/\/python[\d.]*$/.test(path) || !existsSync(path)) return [];
  const { found } = await identifyPython({ ...question, name: basename(path), candidate: path, needsModule: null });
  return found === null ? [] : [path, ...found.needs];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import type { Terms } from '../../task/contract.ts';
import { parseDockerfile, wordsOf } from '../../task/image/dockerfile.ts';
import type { ImageTask } from '../../task/image/image-task.ts';
import type { ImageTerms } from '../../task/image/terms.ts';
import { copyTree } from '../../task/tree/copy.ts';
import { stageFamilyPrograms } from '../judge/runners/verifier/stage-programs.ts';
import type { BuiltRoot } from './build/built-root.ts';
import { builtPlaces, builtWorkdir, installedIn, layBuiltFiles, rootTerms, variablesOf } from './build/lay-built.ts';
import { layFiles } from './lay-files.ts';
import { installedFor, type Machine, standInsOn } from './machine.ts';
import { inWorkspace, type ImagePlace, placesFor } from './places.ts';
import { type CopyStep, readStandIn, type StandIn } from './stand-in.ts';

/** A task of the family, laid out as Seatrial runs it. */
export interface LaidTask {
  readonly terms: Terms;
  readonly filesDir: string;
  readonly testsDir: string;
  readonly solutionDir: string | null;
}

/** There is no network inside: package managers that know it fail at once, with a message that says so, instead of trying for minutes. */
const OFFLINE = { CARGO_NET_OFFLINE: 'true', GOPROXY: 'off', npm_config_offline: 'true' };

/** Lays out a task in an image that was built for it, below `scratch`, which is there and empty. */
export function layBuiltTask(task: ImageTask, root: BuiltRoot, scratch: string): LaidTask {
  const workdir = builtWorkdir(task, root);
  if (workdir === '/') throw needsImage('its image sets no WORKDIR, and the whole system cannot be a workspace');
  const places = builtPlaces(root, workdir);
  const filesDir = join(scratch, 'files');
  layBuiltFiles(root, places, filesDir);
  const { PATH: _path, HOME: _home, ...env } = variablesOf(root);
  const { terms } = task;
  const image: ImageTerms = {
    layout: task.layout,
    from: baseOf(task),
    workdir,
    places: [...places],
    verifier: task.verifier,
    solution_env: { ...task.solutionEnv },
    programs: [],
    packages: [],
    installed: installedIn(root),
    root: rootTerms(root),
    notes: [...task.notes, `only ${places.map(({ at }) => at).join(', ')} can be written to`],
  };
  return {
    filesDir,
    testsDir: layTests(task, scratch),
    solutionDir:
      task.solution === null ? null : laySolution(task, task.solution, image, image.root?.python3 ?? null, scratch),
    terms: {
      ...terms,
      test_command: `/tests/${task.verifier.script}`,
      env: { ...OFFLINE, ...env, ...task.env, ...terms.env },
      image,
    },
  };
}

function baseOf({ dockerfileText }: ImageTask): string {
  const last = parseDockerfile(dockerfileText ?? '').findLast(({ name }) => name === 'FROM');
  return wordsOf(last?.text ?? '').find((word) => !word.startsWith('--')) ?? '';
}

/** Lays out a task whose image this machine can stand in for, below `scratch`, which is there and empty. */
export function layImageTask(task: ImageTask, machine: Machine, scratch: string): LaidTask {
  const read = readStandIn(task);
  if ('why' in read) throw needsImage(read.why);
  const places = placesFor([
    read.workdir,
    ...read.copies.map((step) => dirOf(step, task.contextDir)),
    ...read.needs.dirs,
  ]);
  if ('why' in places) throw needsImage(places.why);
  const absent = absentHome(read.env, places);
  if (absent !== null) throw needsImage(absent);
  const filesDir = join(scratch, 'files');
  mkdirSync(filesDir);
  layFiles(
    { ...read, ...read.needs, contextDir: task.contextDir, places, dirs: [read.workdir, ...read.needs.dirs] },
    filesDir,
  );
  const python = [...read.needs.python, ...requirementsIn(read, filesDir, places)];
  const found = standInsOn(machine, { ...read.needs, python });
  if ('why' in found) throw needsImage(found.why);
  const programs = [...new Set(['python3', ...found.programs])].filter((name) => machine.hasProgram(name));
  const { terms } = task;
  const image: ImageTerms = {
    layout: task.layout,
    from: read.from,
    workdir: read.workdir,
    places: [...places],
    verifier: task.verifier,
    solution_env: { ...task.solutionEnv },
    programs,
    packages: [...found.packages],
    installed: installedFor(machine, scriptsOf(task)),
    notes: [...task.notes],
  };
  return {
    filesDir,
    testsDir: layTests(task, scratch),
    solutionDir: task.solution === null ? null : laySolution(task, task.solution, image, machine.python3, scratch),
    terms: {
      ...terms,
      test_command: `/tests/${task.verifier.script}`,
      env: { ...OFFLINE, ...read.env, ...terms.env },
      image,
    },
  };
}

export const needsImage = (why: string): Refused => new Refused(reason('needs_image', { why }));

/** A variable such as JAVA_HOME that names a directory of the image's system which this machine does not have. */
function absentHome(env: Readonly<Record<string, string>>, places: readonly ImagePlace[]): string | null {
  const found = Object.entries(env).find(
    ([name, value]) =>
      /(?:HOME|ROOT)$/.test(name) &&
      /^\/(?:usr|opt|lib)\//.test(value) &&
      inWorkspace(value, places) === null &&
      !existsSync(value),
  );
  return found === undefined ? null : `it sets ${found[0]} to ${found[1]}, which this machine does not have`;
}

/** The directory that a copy fills. */
function dirOf({ from, to }: CopyStep, contextDir: string): string {
  if (to.endsWith('/')) return to.replace(/(?<=.)\/$/, '');
  const isTree = from.some(
    (name) => statSync(join(contextDir, name), { throwIfNoEntry: false })?.isDirectory() === true,
  );
  return isTree ? to : posix.dirname(to);
}

/** Without comments and options. */
function requirementsIn({ needs }: StandIn, filesDir: string, places: readonly ImagePlace[]): string[] {
  return needs.requirements.flatMap((path) => {
    const below = inWorkspace(path, places);
    const file = below === null ? null : join(filesDir, below);
    if (file === null || !existsSync(file))
      throw needsImage(`it installs from ${path}, which it does not copy to its workspace`);
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('-'));
  });
}

function layTests({ dir, testsDir, testScripts }: ImageTask, scratch: string): string {
  const to = join(scratch, 'tests');
  if (existsSync(testsDir)) copyTree(testsDir, to);
  else mkdirSync(to);
  for (const name of testScripts) copyFileSync(join(dir, name), join(to, name));
  return to;
}

/** Beside the script lie the programs that go before the machine's while it runs. */
function laySolution(
  { dir }: ImageTask,
  script: string,
  image: ImageTerms,
  python: string | null,
  scratch: string,
): string {
  const to = join(scratch, 'solution');
  if (script === 'solution/solve.sh') copyTree(join(dir, dirname(script)), to);
  else {
    mkdirSync(to);
    copyFileSync(join(dir, script), join(to, 'solve.sh'));
  }
  chmodSync(join(to, 'solve.sh'), 0o755);
  stageFamilyPrograms(join(to, '.programs'), '/solution/.programs', python, image);
  return to;
}

/** The texts that may install something: verifier and oracle. */
function scriptsOf({ dir, testsDir, testScripts, verifier, solution }: ImageTask): string {
  const paths = [join(testsDir, verifier.script), ...testScripts.map((name) => join(dir, name))];
  const all = solution === null ? paths : [...paths, join(dir, solution)];
  return all.flatMap((path) => (existsSync(path) ? [readFileSync(path, 'utf8')] : [])).join('\n');
}

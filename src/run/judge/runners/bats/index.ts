import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import * as z from 'zod/mini';
import { sha256 } from '../../../../kernel/digest.ts';
import { withoutOptions } from '../../command/options.ts';
import { below } from '../../command/expand/expansion.ts';
import { dirInside, DRIVERS, WORKSPACE } from '../../sandbox/layout.ts';
import type { JudgeRequest } from '../../types.ts';
import {
  broughtByPatch,
  notInstalled,
  unusableRunner,
  type Prepared,
  type RunnerCommand,
  type RunnerDefinition,
} from '../definition.ts';
import { isOfPatch, placeOf } from '../shared/node/installed.ts';
import { findTestProgram, type TestProgram } from '../shared/programs.ts';
import { escapePattern, partsOf } from '../shared/test-names.ts';
import { prepareToolchain, type ToolchainPlace, type ToolchainRunner } from '../shared/toolchain.ts';

const PROGRAM = /^(?:.*\/)?bats$/;
const FORMATTER = 'bats/drivers/formatter';
/** The first version that takes a formatter by its path. */
const OLDEST = [1, 5];
const OWN = {
  flags: ['-t', '--tap', '-p', '--pretty', '-T', '--timing', '-c', '--count', '-x', '--trace'],
  valued: ['-F', '--formatter', '-j', '--jobs', '--report-formatter', '-o', '--output', '--filter-status'].concat(
    '--gather-test-outputs-in',
  ),
};
const VALUED = new Set(['-f', '--filter', '--filter-tags', '--code-quote-style', '--line-reference-format']);

const RUNNER: ToolchainRunner = {
  reports: 'bats/drivers/bats-reports.mjs',
  drivers: [FORMATTER],
  find: findBats,
  call(place) {
    const { options, places } = sortWords(place);
    if (places.length === 0) return null;
    return {
      args: [`--formatter`, place.at(`${DRIVERS}/${FORMATTER}`), ...options, ...places],
      env: {},
      cwd: place.at(place.dir),
      note: 'forced: formatter, one test after the other',
      plan: {
        places,
        recursive: options.some((word) => /^(?:-[a-z]*r[a-z]*|--recursive)$/.test(word)),
        apart: true,
        ...(place.sealed ? {} : { root: place.at(place.dir) }),
      },
    };
  },
};

export const bats: RunnerDefinition = {
  name: 'bats',
  manual: {
    commands: '`bats test/`, `test/bats/bin/bats …`, `npx bats …`',
    calledAs: 'bats (1.5 or newer) of the machine, of `node_modules` or of the tree, with a formatter of the harness',
    ids: '`test/slug.bats::name`',
  },
  blackBox: false,
  match({ words }) {
    const [program = '', ...args] = words;
    return PROGRAM.test(program) ? { runner: 'bats', program, args } : null;
  },
  prepare: (request, command) => prepareToolchain(request, command, RUNNER, dirInside(command.dir)),
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => partsOf(id).file,
};

function sortWords({ args, only, sealed, dir }: ToolchainPlace): {
  readonly options: readonly string[];
  readonly places: readonly string[];
} {
  const asked = withoutOptions(args, only === undefined ? OWN : { ...OWN, valued: [...OWN.valued, '-f', '--filter'] });
  const isValue = (at: number): boolean => VALUED.has(asked[at - 1] ?? '');
  const options = asked.filter((word, at) => word.startsWith('-') || isValue(at));
  const named = asked.filter((word, at) => !word.startsWith('-') && !isValue(at));
  const inTests = named.filter((word) => /^tests(?:\/|$)/.test(below(dir.slice(WORKSPACE.length + 1), word) ?? ''));
  const places = sealed ? inTests : named;
  if (only === undefined) return { options, places };
  const all = only.map(partsOf);
  const files = [...new Set(all.map(({ file }) => (sealed ? `tests/${file}` : file)))];
  // The id of a whole file: it could not be read, and now may hold anything.
  if (all.some(({ names }) => names.length === 0)) return { options, places: files };
  const names = all.map(({ names: parts }) => escapePattern(parts.join(' > ')).replaceAll(String.raw`\/`, '/'));
  return { options: [...options, '--filter', `^(${names.join('|')})$`], places: files };
}

const packageFile = z.object({ version: z.string() });

/** Of the tree where the command names it by a path or node_modules has it; else of the machine. */
async function findBats(request: JudgeRequest, { program, dir = '' }: RunnerCommand): Promise<TestProgram | Prepared> {
  const own = program.includes('/') && !program.startsWith('/') ? below(dir, program) : null;
  for (const path of own === null ? [`${dir}/node_modules/bats/bin/bats`, 'node_modules/bats/bin/bats'] : [own]) {
    const inTree = path.replace(/^\//, '');
    const found = batsOfTree(request, inTree);
    if (found !== null) return isOfPatch(request, dirname(dirname(inTree))) ? broughtByPatch(program) : found;
  }
  const found = own === null ? await findTestProgram(request, program) : null;
  if (found === null) return notInstalled(program);
  return isTooOld(found.tool.version)
    ? unusableRunner(`bats ${found.tool.version} is too old to be judged, it takes 1.5 or newer`)
    : found;
}

function batsOfTree(request: JudgeRequest, path: string): TestProgram | null {
  try {
    const text = readFileSync(placeOf(request, path));
    const about = readFileSync(placeOf(request, `${dirname(dirname(path))}/package.json`), 'utf8');
    const { version } = packageFile.parse(JSON.parse(about));
    if (isTooOld(version)) return null;
    const inside = `${WORKSPACE}/${path}`;
    const shown = request.confinement.kind === 'none' ? placeOf(request, path) : inside;
    return {
      path: shown,
      dirs: [],
      mounts: [],
      tool: { name: basename(path), path: inside, version, sha256: sha256(text) },
    };
  } catch {
    return null;
  }
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

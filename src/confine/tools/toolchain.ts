import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Tool } from '../../evidence/schema/report.ts';
import { systemClock } from '../../kernel/clock.ts';
import { readHomes } from '../bwrap/mount-masks.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { pathsWithoutCredentials } from './credentials.ts';
import { SANDBOX_PATH } from '../environment.ts';
import { findProgram, findPrograms } from './find-program.ts';
import { isRustProgram } from './identify-compiler.ts';
import { identifyTool } from './identify-tool.ts';
import { systemDirs } from '../bwrap/system-layout.ts';
import {
  areOlderThan,
  areUnchanged,
  type FoundTool,
  NO_CACHE,
  type ToolCache,
  toolCacheIn,
  witnessesOf,
} from './tool-cache.ts';
import { isSameFile } from './tool-question.ts';
import { steeringVariables, type ToolEnvironment, toolEnvironment } from './tool-environment.ts';
import type { Mount } from '../types.ts';

export interface ToolSearch {
  /** A PATH: directories in order of preference. */
  readonly path: string;
  /** For Python: selects the first interpreter that can import this module. */
  readonly needsModule?: string;
  /** The program is not asked for its version: it may do its work whatever its arguments are. */
  readonly isNeverRun?: true;
  /** Null: no cache. */
  readonly cacheDir: string | null;
  /** The result of `steeringVariables`. Default: that of this process's environment. */
  readonly env?: ToolEnvironment;
}

export interface ResolvedTool {
  readonly tool: Tool;
  /** Absolute path of the program, the same on the host and in the sandbox. */
  readonly command: string;
  readonly mounts: readonly Mount[];
  /** Directories to prepend to PATH in the sandbox, so that the tool is found by name. */
  readonly pathEntries: readonly string[];
}

/** Resolves links and version managers' shims to the program itself. Null: no suitable program was found. */
export async function resolveTool(name: string, search: ToolSearch): Promise<ResolvedTool | null> {
  const cache = search.cacheDir === null ? NO_CACHE : toolCacheIn(search.cacheDir);
  const steering = search.env ?? steeringVariables(process.env);
  const cargoHome = isRustProgram(name) ? steering['CARGO_HOME'] : undefined;
  const path = [search.path, ...(cargoHome === undefined ? [] : [join(cargoHome, 'bin')]), '/usr/bin'].join(':');
  for (const candidate of findPrograms(name, path)) {
    const found = await lookAt(name, candidate, search, steering, cache);
    if (found !== null) return withMounts(found);
  }
  return null;
}

async function lookAt(
  name: string,
  candidate: string,
  { path, needsModule, isNeverRun }: ToolSearch,
  steering: ToolEnvironment,
  cache: ToolCache,
): Promise<FoundTool | null> {
  const question = JSON.stringify([
    name,
    candidate,
    needsModule ?? null,
    path,
    homedir(),
    steering,
    isNeverRun === true,
  ]);
  const known = cache.get(question);
  if (known !== undefined) return known;
  const askedAt = systemClock.now().getTime();
  const before = witnessesOf([candidate, realpathSync(candidate)]);
  const env = toolEnvironment(path, steering);
  const { found, restsOn } = await identifyTool({
    name,
    candidate,
    needsModule: needsModule ?? null,
    env,
    isNeverRun: isNeverRun === true,
  });
  // If a file changed in the meantime, the answer is used once but not cached.
  if (found !== null && restsOn !== null && areUnchanged(before) && areOlderThan(restsOn, askedAt))
    cache.put(question, found, [...before, ...witnessesOf(restsOn)]);
  return found;
}

/** Whether every sandbox finds this very program by its name. */
function isFoundInside(path: string): boolean {
  const found = findProgram(basename(path), SANDBOX_PATH);
  return found !== null && isSameFile(found, path);
}

function withMounts({ tool, needs, links }: FoundTool): ResolvedTool {
  const system = systemDirs();
  const outside = (path: string): boolean => !system.some((dir) => isWithin(path, dir));
  const homes = readHomes();
  const wanted = [...new Set([...needs, realpathSync(tool.path)])].filter((path) => outside(path) && existsSync(path));
  const allowed = wanted.filter((path) => !homes.some((home) => isWithin(home, path))).flatMap(pathsWithoutCredentials);
  const widest = allowed.filter((path) => !allowed.some((other) => other !== path && isWithin(path, other)));
  const isShown = (path: string): boolean => widest.some((dir) => isWithin(path, dir));
  const needed = links.filter(({ path }) => outside(path) && !isShown(path));
  return {
    tool,
    command: tool.path,
    mounts: [
      ...widest.map((path): Mount => ({ source: path, target: path, mode: 'ro' })),
      ...needed.map(({ path, to }): Mount => ({ source: to, target: path, mode: 'link' })),
    ],
    pathEntries: isFoundInside(tool.path) ? [] : [dirname(tool.path)],
  };
}

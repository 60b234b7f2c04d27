import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Tool } from '../../evidence/schema/report.ts';
import { isWithin, readHomes } from '../bwrap/mount-masks.ts';
import { findPrograms } from './find-program.ts';
import { identifyTool } from './identify-tool.ts';
import { systemDirs } from '../bwrap/system-layout.ts';
import { type FoundTool, NO_CACHE, type ToolCache, toolCacheIn } from './tool-cache.ts';
import type { Mount } from '../types.ts';

export interface ToolSearch {
  /** A PATH: folders in order of preference. */
  readonly path: string;
  /** For Python: takes the first interpreter that can import it. */
  readonly needsModule?: string;
  /** Null: nothing is remembered and nothing is written. */
  readonly cacheDir: string | null;
}

export interface ResolvedTool {
  readonly tool: Tool;
  /** The absolute path to start, the same inside and outside. */
  readonly command: string;
  readonly mounts: readonly Mount[];
  /** What to put in front of the PATH inside, so that the tool is found by its name. */
  readonly pathEntries: readonly string[];
}

/** Looks through links and version managers' shims to the program itself. Null: there is none that serves. */
export async function resolveTool(name: string, search: ToolSearch): Promise<ResolvedTool | null> {
  const cache = search.cacheDir === null ? NO_CACHE : toolCacheIn(search.cacheDir);
  for (const candidate of findPrograms(name, `${search.path}:/usr/bin`)) {
    const found = await lookAt(name, candidate, search, cache);
    if (found !== null) return withMounts(found);
  }
  return null;
}

async function lookAt(
  name: string,
  candidate: string,
  search: ToolSearch,
  cache: ToolCache,
): Promise<FoundTool | null> {
  const needsModule = search.needsModule ?? null;
  const question = JSON.stringify([name, candidate, needsModule]);
  const known = cache.get(question);
  if (known !== undefined) return known;
  const { found, restsOn } = await identifyTool({ name, candidate, needsModule, path: search.path });
  cache.put(question, found, restsOn);
  return found;
}

function withMounts({ tool, needs }: FoundTool): ResolvedTool {
  const system = systemDirs();
  const outside = (path: string): boolean => !system.some((dir) => isWithin(path, dir));
  const homes = readHomes();
  const wanted = [...new Set([...needs, tool.path, realpathSync(tool.path)])].filter(
    (path) => outside(path) && existsSync(path),
  );
  const allowed = wanted.filter((path) => !homes.some((home) => isWithin(home, path)));
  const widest = allowed.filter((path) => !allowed.some((other) => other !== path && isWithin(path, other)));
  return {
    tool,
    command: tool.path,
    mounts: widest.map((path) => ({ source: path, target: path, mode: 'ro' })),
    pathEntries: outside(tool.path) ? [dirname(tool.path)] : [],
  };
}

import { basename, delimiter, dirname, isAbsolute, resolve } from 'node:path';
import { isWithin } from '../../../../kernel/path-text.ts';
import { systemDirs } from '../../../../confine/bwrap/system-layout.ts';
import { resolveTool } from '../../../../confine/tools/toolchain.ts';
import type { Mount } from '../../../../confine/types.ts';
import type { Tool } from '../../../../evidence/schema/report.ts';
import type { JudgeRequest } from '../../types.ts';

/** A program that a judge starts, as it is found inside. */
export interface TestProgram {
  readonly path: string;
  /** What to put in front of the PATH, so that it is found by its name too. */
  readonly dirs: readonly string[];
  readonly mounts: readonly Mount[];
  readonly tool: Tool;
}

/**
 * Null: not on this machine, or without the module it would need. A program is asked for its version outside, so it has to be the
 * machine's or the caller's: one named by a path that leads elsewhere could be the task's own.
 */
export async function findTestProgram(
  request: JudgeRequest,
  word: string,
  needsModule?: string,
): Promise<TestProgram | null> {
  const tools = request.tools ?? { path: process.env['PATH'] ?? '', cacheDir: null };
  const { path } = tools;
  if (isAbsolute(word) && !isTrusted(word, path)) return null;
  const found = await resolveTool(basename(word), {
    ...tools,
    path: isAbsolute(word) ? dirname(word) : path,
    ...(needsModule === undefined ? {} : { needsModule }),
  });
  if (found === null) return null;
  return { path: found.command, dirs: found.pathEntries, mounts: found.mounts, tool: found.tool };
}

function isTrusted(program: string, path: string): boolean {
  const dir = dirname(resolve(program));
  return path.split(delimiter).includes(dir) || systemDirs().some((system) => isWithin(dir, system));
}

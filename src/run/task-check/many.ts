import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import { layoutOf } from '../../task/image/layout.ts';
import { digestEntries } from '../../task/tree/digest.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { inParallel } from '../parallel.ts';
import type { RunEnvironment } from '../request.ts';
import { findSoundness, SOUNDNESS } from './soundness.ts';

/** A line of `findings.jsonl`. */
export const taskFindingLine = z.strictObject({
  /** From the directory that was checked. */
  task: z.string(),
  /** Of all its files: a finding counts for exactly these. */
  digest: z.string(),
  soundness: z.enum(SOUNDNESS),
  why: z.string(),
  tests: z.number(),
  isolation: z.nullable(z.string()),
  duration_ms: z.number(),
});
export type TaskFindingLine = z.infer<typeof taskFindingLine>;

/** Task directories below a directory, in order of their names. A task holds no other tasks. */
function findTaskDirs(root: string): readonly string[] {
  if (layoutOf(root) !== null) return [root];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => join(root, name))
    .sort()
    .flatMap(findTaskDirs);
}

export interface CheckedMany {
  readonly root: string;
  /** Findings are appended here as they come. */
  readonly file: string;
  readonly jobs: number;
  readonly environment: RunEnvironment;
  readonly signal: AbortSignal;
  readonly onFound: (line: TaskFindingLine, done: number, of: number) => void;
}

/** Checks every task below a directory. Those that the file has a finding for, with the same content, are not checked again. */
export async function checkMany({
  root,
  file,
  jobs,
  environment,
  signal,
  onFound,
}: CheckedMany): Promise<readonly TaskFindingLine[]> {
  const known = readFindings(file);
  const dirs = findTaskDirs(root);
  let done = 0;
  return inParallel(dirs, jobs, signal, async (dir) => {
    const task = relative(root, dir) || '.';
    const digest = digestEntries(walkTree(dir, { installed: true }).entries);
    const before = known.get(task);
    if (before?.digest === digest) {
      onFound(before, (done += 1), dirs.length);
      return before;
    }
    const { clock } = environment;
    const started = clock.mono();
    const finding = await findSoundness(dir, environment, signal);
    const line = { task, digest, ...finding, duration_ms: Math.round(clock.mono() - started) };
    // An interrupted check found nothing out about the task, and neither did one that could not try it.
    if (!signal.aborted && finding.soundness !== 'not judged') appendFileSync(file, `${JSON.stringify(line)}\n`);
    onFound(line, (done += 1), dirs.length);
    return line;
  });
}

/** By task. The last line of a check that was killed may be cut off; it is left out. */
function readFindings(file: string): ReadonlyMap<string, TaskFindingLine> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return new Map(
    lines.flatMap((text) => {
      const read = taskFindingLine.safeParse(parseJson(text));
      return read.success ? [[read.data.task, read.data] as const] : [];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

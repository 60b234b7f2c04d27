import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { tool } from '../../evidence/schema/report.ts';
import { sha256 } from '../../kernel/digest.ts';

/** A file whose change makes an answer stale. `mark` is empty if the file does not exist. */
const witness = z.strictObject({ path: z.string(), mark: z.string() });
type Witness = z.infer<typeof witness>;

const foundTool = z.strictObject({
  tool,
  /** Directories and files that the tool needs. */
  needs: z.array(z.string()),
  /** Links that lead to the tool. Their targets are listed in `needs`. */
  links: z.array(z.strictObject({ path: z.string(), to: z.string() })),
});
export type FoundTool = z.infer<typeof foundTool>;

/** Entries of other versions are ignored: they may list too many paths, or too few. */
const VERSION = 3;
const entry = z.strictObject({ version: z.literal(VERSION), witnesses: z.array(witness), answer: foundTool });

/** Caches the answer for a candidate while every file that it depends on is unchanged. */
export interface ToolCache {
  /** Undefined: not cached, or stale. */
  get(question: string): FoundTool | undefined;
  put(question: string, answer: FoundTool, witnesses: readonly Witness[]): void;
}

export const NO_CACHE: ToolCache = { get: () => undefined, put: () => {} };

export function toolCacheIn(dir: string): ToolCache {
  const fileOf = (question: string): string => join(dir, `tool-${sha256(question).slice(0, 32)}.json`);
  return {
    get(question) {
      const known = read(fileOf(question));
      return known !== undefined && areUnchanged(known.witnesses) ? known.answer : undefined;
    },
    put(question, answer, witnesses) {
      const temporary = `${fileOf(question)}.${process.pid}`;
      try {
        mkdirSync(dir, { recursive: true, mode: 0o700 });
        const content: z.infer<typeof entry> = { version: VERSION, witnesses: [...witnesses], answer };
        writeFileSync(temporary, JSON.stringify(content));
        renameSync(temporary, fileOf(question));
      } catch {
        // A cache that cannot be written only costs time.
      }
    },
  };
}

export function witnessesOf(paths: readonly string[]): Witness[] {
  return [...new Set(paths)].map((path) => ({ path, mark: markOf(path) }));
}

export function areUnchanged(witnesses: readonly Witness[]): boolean {
  return witnesses.every(({ path, mark }) => markOf(path) === mark);
}

/** Whether none of the files changed after `timeMs`. */
export function areOlderThan(paths: readonly string[], timeMs: number): boolean {
  return paths.every((path) => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) <= timeMs);
}

function read(path: string): z.infer<typeof entry> | undefined {
  try {
    return entry.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

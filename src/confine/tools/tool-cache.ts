import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { tool } from '../../evidence/schema/report.ts';
import { sha256 } from '../../kernel/digest.ts';

/** A file whose change would make an answer stale. Its mark is empty when it does not exist. */
const witness = z.strictObject({ path: z.string(), mark: z.string() });

const foundTool = z.strictObject({
  tool,
  /** Folders and files outside the system that it needs. */
  needs: z.array(z.string()),
});
export type FoundTool = z.infer<typeof foundTool>;

const entry = z.strictObject({ version: z.literal(1), witnesses: z.array(witness), answer: z.nullable(foundTool) });

/** Remembers what a candidate turned out to be, as long as every file that the answer rests on is the same. */
export interface ToolCache {
  /** Undefined: not known, or no longer true. Null: known not to serve. */
  get(question: string): FoundTool | null | undefined;
  put(question: string, answer: FoundTool | null, restsOn: readonly string[]): void;
}

export const NO_CACHE: ToolCache = { get: () => undefined, put: () => {} };

export function toolCacheIn(dir: string): ToolCache {
  const fileOf = (question: string): string => join(dir, `tool-${sha256(question).slice(0, 32)}.json`);
  return {
    get(question) {
      const known = read(fileOf(question));
      return known?.witnesses.every(({ path, mark }) => markOf(path) === mark) ? known.answer : undefined;
    },
    put(question, answer, restsOn) {
      const witnesses = [...new Set(restsOn)].map((path) => ({ path, mark: markOf(path) }));
      const temporary = `${fileOf(question)}.${process.pid}`;
      try {
        makeDirs(dir, 0o700);
        writeFileSync(temporary, JSON.stringify({ version: 1, witnesses, answer } satisfies z.infer<typeof entry>));
        renameSync(temporary, fileOf(question));
      } catch {
        // A cache that cannot be written only costs time.
      }
    },
  };
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

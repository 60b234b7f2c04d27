import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Fields } from './words.ts';

/** Only what is needed of it: an agent may write it as well, and what Case does not know stays as it is. */
const task = z.looseObject({
  id: z.string(),
  repo: z.string(),
  status: z.optional(z.string()),
  mode: z.optional(z.string()),
  profile: z.optional(z.enum(['standard', 'tiny'])),
});
export type Task = z.infer<typeof task>;

export function readTask(path: string): Task {
  return task.parse(JSON.parse(readFileSync(path, 'utf8')));
}

export function changeTask(path: string, fields: Fields): void {
  writeFileSync(path, `${JSON.stringify({ ...readTask(path), ...fields }, null, 2)}\n`);
}

/** The markdown beside it; found by this ending alone. */
export const markdownOf = (path: string): string => path.replace(/\.task\.json$/, '.md');

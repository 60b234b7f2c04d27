import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { objectIn } from '../../../gateway/exchange/json.ts';
import type { Fields } from './pipeline/words.ts';

/** Only the fields in use. All others are preserved, since agents may write to the file too. */
const task = z.object({
  id: z.string(),
  repo: z.string(),
  status: z.optional(z.string()),
  mode: z.optional(z.string()),
  profile: z.optional(z.enum(['standard', 'tiny'])),
});
export type SimulatedTask = z.infer<typeof task>;

export const readSimulatedTask = (path: string): SimulatedTask => task.parse(read(path));

export function changeTask(path: string, fields: Fields): void {
  writeFileSync(path, `${JSON.stringify({ ...objectIn(read(path)), ...fields }, null, 2)}\n`);
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The markdown file beside a `.task.json`. */
export const markdownOf = (path: string): string => path.replace(/\.task\.json$/, '.md');

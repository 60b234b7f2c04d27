import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs, replaceFile } from '../../evidence/storage/durable.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { type CutoverEntry, cutoverEntry, type CutoverPlan, cutoverPlan } from './schema.ts';

/** Below the staged project's own state, which the cutover leaves where it is. */
export const cutoverDir = (staged: string): string => join(staged, '.ao-state', 'cutover');
export const snapshotDir = (staged: string): string => join(cutoverDir(staged), 'snapshot');

export function writeCutoverPlan(plan: CutoverPlan): void {
  makeDirs(cutoverDir(plan.staged));
  replaceFile(join(cutoverDir(plan.staged), 'plan.json'), Buffer.from(prettyJson(plan)));
}

/** Null: none was made. Writes nothing. */
export function readCutoverPlan(staged: string): CutoverPlan | null {
  const file = join(cutoverDir(staged), 'plan.json');
  if (!existsSync(file)) return null;
  try {
    return cutoverPlan.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new SeatrialError(
      'evidence',
      `${file} is damaged: ${messageOf(error).split('\n')[0]}; make the plan again`,
      error,
    );
  }
}

const stepsFile = (staged: string): string => join(cutoverDir(staged), 'steps.jsonl');

export function appendEntry(staged: string, entry: CutoverEntry): void {
  appendFileSync(stepsFile(staged), `${JSON.stringify(entry)}\n`, { flush: true });
}

/** A half-written last line, left by a kill, is left out. Writes nothing. */
export function readEntries(staged: string): readonly CutoverEntry[] {
  const file = stepsFile(staged);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => cutoverEntry.parse(JSON.parse(line)));
}

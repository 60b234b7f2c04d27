import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { runTool } from '../../confine/processes/spawn.ts';
import { findProgram } from '../../confine/tools/find-program.ts';
import { SYSTEM_PATH } from '../../confine/bwrap/system-layout.ts';
import { sha256Hex } from '../../evidence/schema/parts.ts';
import { statFingerprint } from '../../evidence/storage/stat-fingerprint.ts';
import { sha256 } from '../../kernel/digest.ts';

/** A digest over the `lstat` of every file below a directory, which any change alters: nothing can set a change time. */
export const marks = z.strictObject({
  /** `find`: by that program, which looks at many files in a third of the time, and beside this process. */
  by: z.enum(['lstat', 'find']),
  sha256: sha256Hex,
});
export type Marks = z.infer<typeof marks>;

/** Starting programs costs as much as looking at so many files. */
const MANY = 2000;
/** At most so many names are given to one program. */
const MAX_NAMES = 4000;

/** `files`: about how many there are. */
export async function takeMarks(dir: string, parts: readonly string[], files: number): Promise<Marks> {
  const found = files < MANY ? null : await marksByFind(dir, parts);
  return found === null ? { by: 'lstat', sha256: statFingerprint(dir, parts) } : { by: 'find', sha256: found };
}

/** Whether all is as it was when the marks were taken. */
export async function isAsMarked(
  dir: string,
  parts: readonly string[],
  { by, sha256: known }: Marks,
): Promise<boolean> {
  return (by === 'lstat' ? statFingerprint(dir, parts) : await marksByFind(dir, parts)) === known;
}

/** The digest is given only if `find` saw everything. Lists come in the order of each directory, which stays as long as the directory does. */
const SCRIPT = String.raw`
cd "$1" && shift || exit
exec 3>&1
status=$( { { find "$@" -printf '%p\0%y%m %U %G %i %s %T@ %C@\0'; echo $? >&4; } | sha256sum >&3; } 4>&1 )
exit "$status"
`;

/** Null: it cannot be told, or not by this program. */
async function marksByFind(dir: string, parts: readonly string[]): Promise<string | null> {
  if (findProgram('find', SYSTEM_PATH) === null || findProgram('sha256sum', SYSTEM_PATH) === null) return null;
  try {
    const [tops, below] = split(dir, parts);
    // As many processes as every machine has cores for.
    const halves = [below.filter((_, at) => at % 2 === 0), below.filter((_, at) => at % 2 === 1)];
    const asked = [[...tops, '-maxdepth', '0'], ...halves].filter((args) => args.length > 0);
    const digests = await Promise.all(asked.map((args) => runFind(dir, args)));
    return digests.includes(null) ? null : sha256(digests.join('\n'));
  } catch {
    return null;
  }
}

/** What is looked at itself, and what with all below it: the parts, or what is in them. */
function split(dir: string, parts: readonly string[]): readonly [string[], string[]] {
  const dirs = parts.filter((part) => lstatSync(join(dir, part)).isDirectory());
  const others = parts.filter((part) => !dirs.includes(part));
  const inside = dirs.flatMap((part) => readdirSync(join(dir, part)).map((name) => `${part}/${name}`));
  const isText = inside.every((path) => !path.includes('\u{fffd}'));
  return inside.length <= MAX_NAMES && isText ? [[...dirs, ...others], inside] : [others, dirs];
}

const TIMEOUT_MS = 600_000;

async function runFind(dir: string, args: readonly string[]): Promise<string | null> {
  const { exitCode, stdout } = await runTool('/bin/sh', ['-c', SCRIPT, 'sh', dir, ...args], { timeoutMs: TIMEOUT_MS });
  return exitCode === 0 ? (/^[0-9a-f]{64}/.exec(stdout)?.[0] ?? null) : null;
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** All that a runs directory holds: paths to contents. */
export type Snapshot = ReadonlyMap<string, Buffer>;

export function snapshotOf(dir: string): Snapshot {
  if (!existsSync(dir)) return new Map();
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.'));
  const files = names.filter((name) => statSync(join(dir, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(dir, name))]));
}

/** Written anew when an interrupted bundle is sealed; what they say is derived from the rest. */
const DERIVED = new Set(['report.json', 'report.md', 'report.html', 'manifest.json', 'attestation.json']);
/** Where the crash left them; each is kept under another name. */
const RENAMED: ReadonlyMap<string, RegExp> = new Map([['report.json.tmp', /report\.uncommitted\.json/]]);
/** What was being written when the harness was killed: the record that it would have become was never made. */
const DRAFT = '.tmp';
const GROWING = /(^ledger|events\.normalized|^trace|\/trace)\.jsonl$/;

/** What was recorded before and is not there any more, one sentence each. */
export function lostBetween(before: Snapshot, after: Snapshot, sealed: ReadonlySet<string>): string[] {
  return [...before].flatMap(([path, content]) => {
    const now = after.get(path);
    const wasSealed = sealed.has(path.split('/')[0] ?? '');
    if (now?.equals(content) === true) return [];
    const elsewhere = RENAMED.get(basename(path));
    if (elsewhere !== undefined) return holds(after, elsewhere, content) ? [] : [`${path} is gone`];
    if (path.endsWith(DRAFT)) return [];
    if (!wasSealed && basename(path) === PATCH && isKeptPatch(content, after)) return [];
    if (GROWING.test(path)) return lostLines(path, content, now ?? Buffer.alloc(0), after);
    if (!wasSealed && now !== undefined && DERIVED.has(basename(path))) return [];
    return [`${path} ${now === undefined ? 'is gone' : `changed from ${short(content)} to ${short(now)}`}`];
  });
}

const PATCH = 'patch.diff';

/** Recovery fills an empty patch with what the engine left, and sets one aside of which no event says what it holds. */
function isKeptPatch(content: Buffer, after: Snapshot): boolean {
  return content.length === 0 || holds(after, /unfinished\.patch\.diff/, content);
}

/** Whole lines stay where they are; a torn one is set aside. */
function lostLines(path: string, before: Buffer, now: Buffer, after: Snapshot): string[] {
  const whole = before.subarray(0, before.lastIndexOf(10) + 1);
  const torn = before.subarray(whole.length);
  const lost = now.subarray(0, whole.length).equals(whole) ? [] : [`lines of ${path} are gone`];
  const kept = torn.length === 0 || now.includes(torn) || holds(after, /\.torn/, torn);
  return kept ? lost : [...lost, `the torn end of ${path} is gone`];
}

function holds(snapshot: Snapshot, name: RegExp, content: Buffer): boolean {
  return [...snapshot].some(([path, bytes]) => name.test(path) && bytes.equals(content));
}

const short = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

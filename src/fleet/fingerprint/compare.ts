import { digestOfStart } from './files.ts';
import type { Fingerprint } from './schema.ts';

/** One thing that is no longer as it was. */
export interface Difference {
  readonly kind: 'file' | 'growing file' | 'session' | 'watchdog' | 'pin' | 'command' | 'server';
  readonly name: string;
  readonly text: string;
}

/** Everything that changed between two fingerprints of a project. `startOf`: digest of the first bytes of a file as it is now. */
export function compareFingerprints(
  before: Fingerprint,
  now: Fingerprint,
  startOf: (path: string, bytes: number) => string = (path, bytes) => digestOfStart(path, BigInt(bytes)),
): readonly Difference[] {
  return [
    ...paired(before.fixed.files, now.fixed.files, ({ path }) => path, 'file', fileChange),
    // A log that begins later is growth too.
    ...paired(
      before.growing,
      now.growing.filter(({ path }) => before.growing.some((was) => was.path === path)),
      ({ path }) => path,
      'growing file',
      (was, is) => grownChange(was, is, startOf),
    ),
    ...paired(before.fixed.sessions, now.fixed.sessions, ({ name }) => name, 'session', sessionChange),
    ...watchdogChanges(before, now),
    ...same('server', 'tmux server', before.fixed.server, now.fixed.server),
    ...same('pin', 'pinned Seatrial', before.fixed.pin, now.fixed.pin),
    ...same('pin', 'engine/', before.fixed.engine, now.fixed.engine),
    ...paired(before.fixed.commands, now.fixed.commands, ({ command }) => command, 'command', commandChange),
  ];
}

function paired<T>(
  before: readonly T[],
  now: readonly T[],
  nameOf: (one: T) => string,
  kind: Difference['kind'],
  change: (was: T, is: T) => string | null,
): Difference[] {
  const later = new Map(now.map((one) => [nameOf(one), one]));
  const earlier = new Set(before.map(nameOf));
  const changed = before.flatMap((was): Difference[] => {
    const name = nameOf(was);
    const is = later.get(name);
    const text = is === undefined ? 'is gone' : change(was, is);
    return text === null ? [] : [{ kind, name, text }];
  });
  const added = now
    .filter((one) => !earlier.has(nameOf(one)))
    .map((one) => ({ kind, name: nameOf(one), text: 'is new' }));
  return [...changed, ...added];
}

type FixedFile = Fingerprint['fixed']['files'][number];

function fileChange(was: FixedFile, is: FixedFile): string | null {
  const changes = [
    ...(was.sha256 === is.sha256
      ? []
      : [`its content changed (sha256 ${was.sha256.slice(0, 12)} to ${is.sha256.slice(0, 12)})`]),
    ...(was.inode === is.inode ? [] : ['it was replaced (another inode)']),
    ...(was.mode === is.mode ? [] : [`its mode changed from ${was.mode} to ${is.mode}`]),
    ...(was.mtime_ns === is.mtime_ns
      ? []
      : [`it was touched (mtime ${timeOf(was.mtime_ns)} to ${timeOf(is.mtime_ns)})`]),
  ];
  return changes.length === 0 ? null : changes.join(', ');
}

const timeOf = (nanoseconds: string): string => new Date(Number(BigInt(nanoseconds) / 1_000_000n)).toISOString();

type GrowingFile = Fingerprint['growing'][number];

function grownChange(
  was: GrowingFile,
  is: GrowingFile,
  startOf: (path: string, bytes: number) => string,
): string | null {
  if (was.inode !== is.inode) return 'it was replaced (another inode)';
  if (is.bytes < was.bytes) return `it was cut from ${was.bytes} to ${is.bytes} bytes`;
  const start = is.bytes === was.bytes ? is.sha256 : startOf(is.path, was.bytes);
  return start === was.sha256 ? null : 'its earlier content changed';
}

type Session = Fingerprint['fixed']['sessions'][number];

function sessionChange(was: Session, is: Session): string | null {
  if (was.pid !== is.pid || was.start_time !== is.start_time)
    return `its pane has another process (${was.pid} to ${is.pid})`;
  if (was.dead !== is.dead) return is.dead ? 'its process has ended' : 'its process lives again';
  return null;
}

function watchdogChanges(before: Fingerprint, now: Fingerprint): Difference[] {
  const was = before.fixed.watchdogs;
  const is = now.fixed.watchdogs;
  const key = (one: (typeof was)[number]): string => `${one.pid} ${one.start_time}`;
  const known = new Set(was.map(key));
  if (was.length === is.length && is.every((one) => known.has(key(one)))) return [];
  const named = (list: typeof was): string =>
    list.length === 0
      ? 'none'
      : `${list.length} (${list.map(({ pid, project }) => `process ${pid} for ${project}`).join(', ')})`;
  return [{ kind: 'watchdog', name: 'watchdogs', text: `were ${named(was)}, are ${named(is)}` }];
}

type Command = Fingerprint['fixed']['commands'][number];

function commandChange(was: Command, is: Command): string | null {
  if (was.exit_code !== is.exit_code)
    return `exited with ${was.exit_code ?? 'a signal'}, now with ${is.exit_code ?? 'a signal'}`;
  return was.output === is.output ? null : `printed ${JSON.stringify(was.output)}, now ${JSON.stringify(is.output)}`;
}

function same(kind: Difference['kind'], name: string, was: string | null, is: string | null): Difference[] {
  return was === is ? [] : [{ kind, name, text: `was ${was ?? 'none'}, is ${is ?? 'none'}` }];
}

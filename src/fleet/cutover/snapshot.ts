import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../../evidence/storage/durable.ts';
import { freeName } from '../../evidence/storage/free-name.ts';
import { compactStamp } from '../../kernel/clock.ts';
import { type CutoverPlan } from './schema.ts';
import { snapshotDir } from './store.ts';

export const keptFilesDir = (plan: CutoverPlan): string => join(snapshotDir(plan.staged), 'files');

/** Where the bytes of a file before the cutover lie. */
const keptFile = (plan: CutoverPlan, path: string): string =>
  join(keptFilesDir(plan), path === plan.shim ? 'shim' : 'agents.toml');

const stagedConfig = (plan: CutoverPlan): string => join(plan.staged, 'agents.toml');
export const changedByCutover = (plan: CutoverPlan): readonly string[] => [plan.shim, stagedConfig(plan)];

/** Keeps the files that will change, unless they are kept already: a second try must not keep what the first one wrote. */
export function keepFiles(plan: CutoverPlan): void {
  copyWhole(keptFilesDir(plan), (draft) => {
    for (const path of changedByCutover(plan))
      cpSync(path, join(draft, basename(keptFile(plan, path))), { preserveTimestamps: true });
  });
}

export const keptText = (plan: CutoverPlan, path: string): string => readFileSync(keptFile(plan, path), 'utf8');

/** Puts a kept file back: bytes, mode and time. */
export function restoreFile(plan: CutoverPlan, path: string): void {
  const kept = keptFile(plan, path);
  if (!existsSync(kept)) return;
  const { mode, atime, mtime } = statSync(kept);
  replaceFile(path, readFileSync(kept));
  chmodSync(path, mode & 0o7777);
  utimesSync(path, atime, mtime);
}

/** Writes new content, and keeps the mode. */
export function writeChanged(path: string, text: string): void {
  const { mode } = statSync(path);
  replaceFile(path, Buffer.from(text));
  chmodSync(path, mode & 0o7777);
}

const keptState = (plan: CutoverPlan): string => join(snapshotDir(plan.staged), 'log_dir');
const isKickoff = (name: string): boolean => /^kickoff-.*\.txt$/.test(name);

/** Keeps the state of the live project, once it stands still. */
export function keepState(plan: CutoverPlan): void {
  copyWhole(keptState(plan), (draft) => {
    for (const name of stateNames(plan.live_log_dir))
      cpSync(join(plan.live_log_dir, name), join(draft, name), { recursive: true, preserveTimestamps: true });
  });
}

const stateNames = (dir: string): string[] =>
  existsSync(dir) ? readdirSync(dir).filter((name) => name === 'state' || isKickoff(name)) : [];

export const hasKeptState = (plan: CutoverPlan): boolean => existsSync(keptState(plan));

/** The phase index then and now; null: no file. */
export function phaseIndexes(plan: CutoverPlan): { readonly kept: string | null; readonly now: string | null } {
  const read = (dir: string): string | null => {
    const file = join(dir, 'state', 'phase-idx');
    return existsSync(file) ? readFileSync(file, 'latin1').trim() : null;
  };
  return { kept: read(keptState(plan)), now: read(plan.live_log_dir) };
}

/** Puts the kept state back byte for byte. What was there goes to the archive of the log_dir, which is given back. */
export function restoreState(plan: CutoverPlan, now: Date): string {
  const archive = freeName(join(plan.live_log_dir, 'archive', `cutover-${compactStamp(now)}`));
  mkdirSync(archive, { recursive: true });
  for (const name of new Set([...stateNames(keptState(plan)), ...stateNames(plan.live_log_dir)])) {
    const kept = join(keptState(plan), name);
    const live = join(plan.live_log_dir, name);
    const draft = `${live}.restored`;
    rmSync(draft, { recursive: true, force: true });
    if (existsSync(kept)) cpSync(kept, draft, { recursive: true, preserveTimestamps: true });
    if (existsSync(live)) renameSync(live, join(archive, name));
    if (existsSync(kept)) renameSync(draft, live);
  }
  return archive;
}

/** After a complete way back: the next cutover keeps everything anew. */
export function retireSnapshot(plan: CutoverPlan, now: Date): void {
  if (existsSync(snapshotDir(plan.staged)))
    renameSync(snapshotDir(plan.staged), freeName(`${snapshotDir(plan.staged)}-${compactStamp(now)}`));
}

/** All of it or nothing, also when killed in between. */
function copyWhole(target: string, fill: (draft: string) => void): void {
  if (existsSync(target)) return;
  const draft = `${target}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  fill(draft);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(draft, target);
}

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../../engines/pane/config-files.ts';
import type { PaneDefinition } from '../../engines/pane/definition.ts';
import type { ScreenReading, ScreenState } from '../../engines/pane/screen.ts';

/** What the last hook event that says anything says. */
export interface HookReading {
  readonly state: 'working' | 'idle' | 'permission';
  readonly at: Date;
  /** Name of its file. */
  readonly file: string;
}

/** Events that say nothing, such as the start of a session, may follow one that does. */
const MAX_LOOK_BACK = 20;
const KEPT = 200;

/** Reads the events that a program's hooks left, one file each, named by time in nanoseconds. Removes old ones. */
export function readHooks(dir: string, { readHook }: Pick<PaneDefinition, 'readHook'>): HookReading | null {
  if (readHook === undefined) return null;
  const names = eventNames(dir);
  for (const name of names.slice(0, Math.max(0, names.length - KEPT))) rmSync(join(dir, name), { force: true });
  for (const file of names.slice(-MAX_LOOK_BACK).toReversed()) {
    const text = readIfThere(join(dir, file));
    const state = text === null ? null : readHook(text);
    if (state !== null) return { state, at: new Date(Number.parseInt(file, 10) / 1e6), file };
  }
  return null;
}

function eventNames(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => /^\d{16,20}\.json$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** Hooks say nothing about these. */
const ON_SCREEN_ONLY: ReadonlySet<ScreenState> = new Set([
  'login',
  'trust',
  'limit',
  'retrying',
  'error',
  'permission',
]);
/** A turn that a person interrupted ends without an event. */
const INTERRUPTED_AFTER_MS = 30_000;

/** The state of a program whose hooks have the last word on whether it works. */
export function withHooks(screen: ScreenReading | null, hook: HookReading | null, now: Date): ScreenReading | null {
  if (hook === null || (screen !== null && ON_SCREEN_ONLY.has(screen.state))) return screen;
  const old = now.getTime() - hook.at.getTime() > INTERRUPTED_AFTER_MS;
  if (hook.state === 'working' && screen?.state === 'idle' && old) return screen;
  return { state: hook.state, evidence: `hook ${hook.state} at ${hook.at.toISOString()}`, until: null };
}

import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UserIdentity } from '../processes/identity.ts';
import type { Mount } from '../types.ts';

/** Whether a user may traverse every directory above a real path. */
function isReachable(path: string, by: UserIdentity): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const { mode, uid } = statSync(dir);
    if ((mode & (uid === by.uid ? 0o100 : 0o001)) === 0) return false;
    if (dir === '/') return true;
  }
}

export interface Stage {
  /** The same mounts, with each inaccessible source replaced by its staged path. */
  readonly mounts: readonly Mount[];
  /** Binds to make before privileges are dropped. */
  readonly binds: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Root drops to a user who cannot enter, say, a 0700 /root, where pyenv or nvm may keep their toolchains. Such sources
 * are bound to accessible paths, in a mount namespace of the command's own, so that no mount outlives
 * the command.
 */
export class Staging {
  readonly #dir: string;
  readonly #identity: UserIdentity;
  readonly #places = new Map<string, string>();

  constructor(scratch: string, identity: UserIdentity) {
    this.#dir = join(scratch, 'stage');
    this.#identity = identity;
  }

  stage(mounts: readonly Mount[]): Stage {
    const far = mounts.filter(({ source }) => !isReachable(source, this.#identity));
    const binds = [...new Set(far.map(({ source }) => source))].map((from) => ({ from, to: this.#placeFor(from) }));
    const standIns = new Map(binds.map(({ from, to }) => [from, to]));
    return { binds, mounts: mounts.map((mount) => ({ ...mount, source: standIns.get(mount.source) ?? mount.source })) };
  }

  #placeFor(source: string): string {
    const known = this.#places.get(source);
    if (known !== undefined) return known;
    if (this.#places.size === 0) mkdirSync(this.#dir, { mode: 0o711 });
    const place = join(this.#dir, String(this.#places.size));
    if (statSync(realpathSync(source)).isDirectory()) mkdirSync(place);
    else writeFileSync(place, '');
    this.#places.set(source, place);
    return place;
  }
}

const BIND_THEN_EXEC =
  'mount=$1 n=$2; shift 2; while [ "$n" -gt 0 ]; do "$mount" -n --bind "$1" "$2" || exit 1; shift 2; n=$((n-1)); done; exec "$@"';

export interface StagingTools {
  readonly unshare: string;
  readonly mount: string;
  readonly setpriv: string;
}

/** A chain of `exec`s, so that the spawned process itself becomes bubblewrap. */
export function stagedCommand(tools: StagingTools, binds: Stage['binds'], command: readonly string[]): string[] {
  return [
    tools.unshare,
    '--mount',
    '--',
    '/bin/sh',
    '-c',
    BIND_THEN_EXEC,
    'sh',
    tools.mount,
    String(binds.length),
    ...binds.flatMap(({ from, to }) => [from, to]),
    ...command,
  ];
}

/** The same command, started by root for another user. */
export function commandAs(tools: StagingTools, { uid, gid }: UserIdentity, command: readonly string[]): string[] {
  return [tools.setpriv, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--', ...command];
}

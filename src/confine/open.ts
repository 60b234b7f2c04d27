import { readFileSync, realpathSync } from 'node:fs';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { Bubblewrap } from './bubblewrap.ts';
import { readCovered, readHomes, refuseSource } from './cover.ts';
import { findProgram } from './find-program.ts';
import { chooseIdentity } from './identity.ts';
import { DEFAULT_LIMITS, parseCeilings } from './limits.ts';
import { readSystemLayout } from './system-layout.ts';
import { Unconfined } from './unconfined.ts';
import type { Confinement, Limits, Mount } from './types.ts';

export interface ConfinementOptions {
  readonly kind: 'bubblewrap' | 'none';
  /** From `makeScratch`, or a folder of its own below that: nothing else may use it. */
  readonly scratch: string;
  /** Paths of this machine that no command may see, whatever is bound in. */
  readonly covered?: readonly string[];
  /** Shown to every command: toolchains, and what the configuration adds. */
  readonly readOnly?: readonly Mount[];
  /** For the report; each command brings its own. */
  readonly limits?: Limits;
  readonly clock?: Clock;
  /** Where tools are looked for. */
  readonly path?: string;
}

export async function openConfinement(options: ConfinementOptions): Promise<Confinement> {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const clock = options.clock ?? systemClock;
  if (options.kind === 'none') return new Unconfined(realpathSync(options.scratch), limits, clock);
  const path = options.path ?? process.env['PATH'] ?? '/usr/bin:/bin';
  const boundaries = {
    scratch: realpathSync(options.scratch),
    covered: readCovered(options.covered ?? []),
    homes: readHomes(),
  };
  const bwrap = findProgram('bwrap', path);
  if (bwrap === null) throw new SeatrialError('blocked', `bubblewrap is not installed: ${installCommand(path)}`);
  const readOnly = options.readOnly ?? [];
  for (const { source } of readOnly) {
    const refusal = refuseSource(realpathSync(source), boundaries);
    if (refusal !== null) throw new SeatrialError('blocked', `a read-only path of the confinement is refused: ${refusal}`);
  }
  return new Bubblewrap({
    bwrap,
    prlimit: findProgram('prlimit', path) ?? '/usr/bin/prlimit',
    identity: chooseIdentity(),
    layout: readSystemLayout(),
    ceilings: parseCeilings(readFileSync('/proc/self/limits', 'latin1')),
    boundaries,
    readOnly,
    limits,
    clock,
  });
}

const INSTALLERS: readonly (readonly [string, string])[] = [
  ['apt-get', 'apt-get install -y bubblewrap'],
  ['dnf', 'dnf install -y bubblewrap'],
  ['pacman', 'pacman -S --noconfirm bubblewrap'],
  ['apk', 'apk add bubblewrap'],
];

function installCommand(path: string): string {
  const known = INSTALLERS.find(([program]) => findProgram(program, `${path}:/usr/bin:/sbin:/bin`) !== null);
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return known === undefined ? 'install the package "bubblewrap" 0.8 or newer' : `run: ${sudo}${known[1]}`;
}

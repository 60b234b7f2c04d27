import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isWithin } from '../kernel/path-text.ts';
import type { ToolSearch } from '../confine/tools/toolchain.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { identifyInstalled, type ProgramIdentity, identifyProgram } from './identify.ts';
import { sourceTreeOf } from './source-tree.ts';

export interface Inspected extends ProgramIdentity {
  /** With all links resolved. */
  readonly path: string;
  /** The git work tree that contains it, if any. */
  readonly commit: string | null;
}

export interface Inspection {
  /** Arguments that make the program identify itself. */
  readonly identify: readonly string[];
  /** An existing directory for exclusive use. */
  readonly scratch: string;
  readonly search: ToolSearch;
  /** Directories on this machine that are cleared regularly or are world-writable. */
  readonly temporary: readonly string[];
}

/** Inspects a program that a person wants to admit. Refuses one whose bytes may change or disappear. */
export async function inspectExecutable(
  named: string,
  { identify, scratch, search, temporary }: Inspection,
): Promise<Inspected> {
  const path = requireProgram(named);
  refuseTemporary(path, temporary);
  const refuse = (why: string): never => refuseProgram(path, why);
  const tree = await sourceTreeOf(path, scratch);
  if (tree !== null && tree.commit === null) refuse(`nothing is committed in the source tree ${tree.root}`);
  if (tree !== null && tree.changed.length > 0) {
    const [first, ...more] = tree.changed;
    const rest = more.length === 0 ? '' : ` and ${more.length} more`;
    refuse(
      `the source tree ${tree.root} is dirty (${first}${rest}); install it elsewhere, or commit the source it was built from`,
    );
  }
  return { path, commit: tree?.commit ?? null, ...(await identifyProgram(path, identify, scratch, search)) };
}

/** The same for a program that people install: it is used in place, with its package, and was not built here. */
export async function inspectInstalled(
  named: string,
  { identify, scratch, search, temporary }: Inspection,
): Promise<Inspected> {
  refuseTemporary(requireProgram(named), temporary);
  return { path: named, commit: null, ...(await identifyInstalled(named, identify, scratch, search)) };
}

function refuseTemporary(path: string, temporary: readonly string[]): void {
  const dir = temporary.map(resolved).find((place) => isWithin(path, place));
  if (dir !== undefined)
    refuseProgram(path, `it is in the temporary directory ${dir}; install it in a permanent place first`);
}

function refuseProgram(path: string, why: string): never {
  throw new SeatrialError('blocked', `${path} cannot be admitted: ${why}`);
}

export function temporaryDirs(env: Readonly<Record<string, string | undefined>>): string[] {
  const runtime = env['XDG_RUNTIME_DIR'];
  return ['/tmp', '/var/tmp', '/dev/shm', '/run/user', tmpdir(), ...(runtime === undefined ? [] : [runtime])];
}

function requireProgram(named: string): string {
  let path: string;
  try {
    path = realpathSync(named);
  } catch (error) {
    throw new SeatrialError('usage', `executable ${named} does not exist`, error);
  }
  if (!statSync(path).isFile())
    throw new SeatrialError('usage', `${path} is not a file; give the path of the executable`);
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw new SeatrialError('usage', `${path} is not readable and executable; check its permissions (chmod +x)`, error);
  }
  return path;
}

function resolved(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import type { Identification } from '../engines/definition.ts';
import type { ToolSearch } from '../confine/tools/toolchain.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { identifyInstalled, type ProgramIdentity, identifyProgram } from './identify.ts';
import { temporaryDirOf } from './temporary-dirs.ts';
import { sourceTreeOf } from './source-tree.ts';

export interface Inspected extends ProgramIdentity {
  /** With all links resolved. */
  readonly path: string;
  /** The git work tree that contains it, if any. */
  readonly commit: string | null;
}

export interface Inspection {
  readonly identify: Identification;
  readonly engine: string;
  /** An existing directory for exclusive use. */
  readonly scratch: string;
  readonly search: ToolSearch;
  /** Directories on this machine that are cleared regularly or are world-writable. */
  readonly temporary: readonly string[];
}

/** Inspects a program that a person wants to admit. Refuses one whose bytes may change or disappear. */
export async function inspectExecutable(
  named: string,
  { identify, engine, scratch, search, temporary }: Inspection,
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
  return {
    path,
    commit: tree?.commit ?? null,
    ...identified(path, await identifyProgram(path, identify.args, scratch, search), identify, engine),
  };
}

/** The same for a program that people install: it is used in place, with its package, and was not built here. */
export async function inspectInstalled(
  named: string,
  { identify, engine, scratch, search, temporary }: Inspection,
): Promise<Inspected> {
  refuseTemporary(requireProgram(named), temporary);
  const found = await identifyInstalled(named, identify.args, scratch, search);
  return { path: named, commit: null, ...identified(named, found, identify, engine) };
}

function identified(
  path: string,
  found: ProgramIdentity,
  { args, expects }: Identification,
  engine: string,
): ProgramIdentity {
  return expects.test(found.said)
    ? found
    : refuseProgram(path, `run with ${args.join(' ')}, it does not identify itself as the program of ${engine}`);
}

function refuseTemporary(path: string, temporary: readonly string[]): void {
  const dir = temporaryDirOf(path, temporary);
  if (dir !== null)
    refuseProgram(path, `it is in the temporary directory ${dir}; install it in a permanent place first`);
}

function refuseProgram(path: string, why: string): never {
  throw new SeatrialError('blocked', `${path} cannot be admitted: ${why}`);
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

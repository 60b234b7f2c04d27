import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import type { Identification } from '../engines/definition.ts';
import type { ToolSearch } from '../confine/tools/toolchain.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { type ProgramIdentity, identifyProgram } from './identify.ts';
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
  const refuse = (why: string): never => {
    throw new SeatrialError('blocked', `${path} cannot be admitted: ${why}`);
  };
  const dir = temporaryDirOf(path, temporary);
  if (dir !== null) refuse(`it is in the temporary directory ${dir}; install it in a permanent place first`);
  const tree = await sourceTreeOf(path, scratch);
  if (tree !== null && tree.commit === null) refuse(`nothing is committed in the source tree ${tree.root}`);
  if (tree !== null && tree.changed.length > 0) {
    const [first, ...more] = tree.changed;
    const rest = more.length === 0 ? '' : ` and ${more.length} more`;
    refuse(
      `the source tree ${tree.root} is dirty (${first}${rest}); install it elsewhere, or commit the source it was built from`,
    );
  }
  const identity = await identifyProgram(path, identify.args, scratch, search);
  if (!identify.expects.test(identity.said))
    refuse(`run with ${identify.args.join(' ')}, it does not identify itself as the program of ${engine}`);
  return { path, commit: tree?.commit ?? null, ...identity };
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

import { spawnSync } from 'node:child_process';
import { findProgram } from '../../confine/tools/find-program.ts';

/** The path of a program that can be started. Null: it is not there, or a shim without its toolchain, as rustup leaves them. */
export function workingProgram(name: string, versionArgument = '--version'): string | null {
  const path = findProgram(name, process.env['PATH'] ?? '');
  return path !== null && spawnSync(path, [versionArgument]).status === 0 ? path : null;
}

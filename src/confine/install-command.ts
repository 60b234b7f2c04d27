import { findProgram } from './tools/find-program.ts';
import { SYSTEM_PATH } from './bwrap/system-layout.ts';

const INSTALLERS: readonly (readonly [string, string])[] = [
  ['apt-get', 'apt-get install -y'],
  ['dnf', 'dnf install -y'],
  ['pacman', 'pacman -S --noconfirm'],
  ['apk', 'apk add'],
];

/** The command that installs a system package on this machine. */
export function installCommand(packageName: string, path: string): string {
  const known = INSTALLERS.find(([program]) => findProgram(program, `${path}:${SYSTEM_PATH}`) !== null);
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return known === undefined ? `install the package "${packageName}"` : `run: ${sudo}${known[1]} ${packageName}`;
}

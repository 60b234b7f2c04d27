import { type Dirent, readdirSync } from 'node:fs';

/** The entries of a directory whose names are text. Node gives all others back garbled, so that nothing is found under their names. */
export function textEntries(dir: string): Dirent[] {
  return readdirSync(dir, { withFileTypes: true }).filter(({ name }) => !name.includes('\u{fffd}'));
}

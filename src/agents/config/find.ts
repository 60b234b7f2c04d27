import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';

export const AGENTS_FILE = 'agents.toml';

/** The nearest directory upwards with an agents.toml, without symbolic links. */
export function nearestProject(cwd: string): string {
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    if (existsSync(join(dir, AGENTS_FILE))) return realpathSync(dir);
    if (dir === dirname(dir))
      throw new SeatrialError(
        'usage',
        `there is no ${AGENTS_FILE} in ${resolve(cwd)} or above; create a project with \`seatrial new <dir>\``,
      );
  }
}

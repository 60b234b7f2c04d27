import { existsSync } from 'node:fs';

/** The path itself, or with `-2`, `-3` and so on behind it: a clock that stands still or a restart must not make two things meet. */
export function freeName(path: string): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? path : `${path}-${n}`;
    if (!existsSync(name)) return name;
  }
}

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, PROJECT } from './seatrial.ts';

export const CORRECT_SLUGIFY = `import re
import unicodedata


def slugify(text):
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
`;

/** The arguments for an engine that writes these files, and does nothing else. */
export function writing(files: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(files).map(([name, text]) => `cat > '${name}' <<'END OF FILE'\n${text}END OF FILE\n`);
  return ['--engine', 'command', '--command', lines.join('')];
}

/** A copy of the built-in task, changed where a test wants it otherwise. */
export function copyOfSlugify(
  place: Place,
  name: string,
  change: { toml?: (text: string) => string; solve?: string },
): string {
  const dir = join(place.cwd, name);
  cpSync(join(PROJECT, 'tasks/r1-string-slugify'), dir, { recursive: true });
  const toml = join(dir, 'task.toml');
  if (change.toml !== undefined) writeFileSync(toml, change.toml(readFileSync(toml, 'utf8')));
  if (change.solve !== undefined) writeFileSync(join(dir, 'solution/solve.sh'), change.solve);
  return dir;
}

import { join, resolve } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/digest.ts';
import { isUrl } from '../../task/git/clone.ts';
import { positionInToml } from '../../task/toml/toml-positions.ts';
import { parseTomlText, readText, schemaFaults } from '../../task/toml/parse-toml.ts';
import { crossFaults } from './faults.ts';
import { AGENTS_FILE, nearestProject } from './find.ts';
import { projectOf } from './resolve.ts';
import type { Project } from './project.ts';
import { agentsFile, type AgentsFile } from './schema.ts';
import { soundPart } from './sound-part.ts';

/** Reads a project. Throws a usage error that lists every fault with its line and column. Writes nothing. */
export function loadProject(cwd: string): Project {
  const dir = nearestProject(cwd);
  const faults: string[] = [];
  const text = readText(join(dir, AGENTS_FILE), faults);
  const file = text === null ? null : parseAgentsFile(text, faults);
  if (text === null || file === null)
    throw new SeatrialError(
      'usage',
      `${dir}/${AGENTS_FILE} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  const repo = file.repo ?? '.';
  return projectOf(file, {
    dir,
    id: sha256(dir),
    fileSha256: sha256(text),
    repo: isUrl(repo) ? repo : resolve(dir, repo),
  });
}

/** Null: it has the faults that were added to `faults`, in the order of the file. */
function parseAgentsFile(text: string, faults: string[]): AgentsFile | null {
  const value = parseTomlText(text, AGENTS_FILE, faults);
  if (value === null) return null;
  const parsed = agentsFile.safeParse(value);
  const found = parsed.success
    ? crossFaults(parsed.data).map(({ at, text: what }) => ({ path: at, text: what }))
    : [
        ...schemaFaults(parsed.error),
        // What is sound is compared too, so that all faults are listed at once.
        ...crossFaults(soundPart(value)).map(({ at, text: what }) => ({ path: at, text: what })),
      ];
  const placed = found.map((fault) => ({ ...fault, place: positionInToml(text, fault.path) }));
  placed.sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0));
  for (const { text: what, place } of placed)
    faults.push(place === null ? what : `line ${place.line}, column ${place.column}: ${what}`);
  return parsed.success && faults.length === 0 ? parsed.data : null;
}

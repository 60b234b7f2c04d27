import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { isoTime } from '../../evidence/schema/parts.ts';
import { makeDirs, syncDir, writeWhole } from '../../evidence/storage/durable.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { compactStamp } from '../../kernel/clock.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { Project } from '../config/project.ts';
import { archiveDir } from '../protocol/paths.ts';

const label = z.strictObject({
  version: z.literal(1),
  /** `protocol`: files of phases that were set aside by `phase set`. */
  kind: z.enum(['clone', 'protocol']),
  /** Whose clone it was; of protocol files null. */
  agent: z.nullable(z.string()),
  /** Where it was. */
  from: z.string(),
  /** What a clone had checked out, if that was a commit. */
  head: z.nullable(z.string()),
  kept_at: isoTime,
  why: z.string(),
});
type Label = z.infer<typeof label>;

/** Something that was moved out of the way whole. */
export interface Archive extends Label {
  readonly id: string;
  /** The directory itself, as it was. */
  readonly content: string;
}

const LABEL = 'archive.json';
const CONTENT = 'content';

/**
 * Moves a directory into the archive, by one rename: ignored files, stashes, submodules and whatever else it holds are kept because nothing is
 * read or chosen. Refuses what cannot be moved whole.
 */
export function moveToArchive(
  project: Project,
  now: Date,
  kept: Pick<Label, 'kind' | 'agent' | 'from' | 'head' | 'why'>,
): Archive {
  if (!lstatSync(kept.from).isDirectory())
    throw new SeatrialError('blocked', `${kept.from} is not a directory; it was left as it is`);
  const id = createDir(archiveDir(project), `${compactStamp(now)}-${kept.agent ?? kept.kind}`);
  const dir = join(archiveDir(project), id);
  const written: Label = { version: 1, ...kept, kept_at: now.toISOString() };
  writeWhole(join(dir, LABEL), prettyJson(written));
  try {
    renameSync(kept.from, join(dir, CONTENT));
  } catch (error) {
    rmSync(dir, { recursive: true });
    throw new SeatrialError(
      'blocked',
      `${kept.from} could not be moved to ${dir} (${systemCode(error) ?? 'unknown error'}); it was left as it is`,
      error,
    );
  }
  syncDir(dirname(kept.from));
  syncDir(dir);
  return { ...written, id, content: join(dir, CONTENT) };
}

/** Oldest first. A label without content is an archive that was never filled, or was brought back. Writes nothing. */
export function listArchives(project: Project): readonly Archive[] {
  const root = archiveDir(project);
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort()
    .flatMap((id) => {
      const content = join(root, id, CONTENT);
      const read = existsSync(content) ? readLabel(join(root, id, LABEL)) : null;
      return read === null ? [] : [{ ...read, id, content }];
    });
}

export function archiveNamed(project: Project, id: string): Archive {
  const all = listArchives(project);
  const found = all.filter((one) => one.id === id || one.id.startsWith(id));
  const [first] = found;
  if (first !== undefined && (found.length === 1 || first.id === id)) return first;
  const problem = first === undefined ? 'there is no archive' : 'more than one archive begins with';
  throw new SeatrialError('usage', `${problem} ${JSON.stringify(id)}; \`seatrial archive\` lists them`);
}

/** Moves it back to an empty place. */
export function moveFromArchive(archive: Archive, to: string): void {
  makeDirs(dirname(to));
  renameSync(archive.content, to);
  syncDir(dirname(to));
  rmSync(dirname(archive.content), { recursive: true });
}

function readLabel(path: string): Label {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SeatrialError('blocked', `cannot read ${path}; what it describes lies beside it`, error);
  }
  const parsed = label.safeParse(value);
  if (!parsed.success) throw new SeatrialError('blocked', `${path} is not the label of an archive`);
  return parsed.data;
}

function createDir(root: string, name: string): string {
  makeDirs(root);
  for (let turn = 1; ; turn += 1) {
    const id = turn === 1 ? name : `${name}-${turn}`;
    try {
      mkdirSync(join(root, id));
      return id;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { Project } from '../config/project.ts';
import type { ProjectHistory } from '../journal/fold.ts';
import type { JournalPosition } from '../journal/reader.ts';

/**
 * What agents.toml and the beginning of the journal say, so that `status` need not parse and check them again. Never evidence: it counts only
 * beside the very bytes that it was made from, read by the build that made it, and whoever finds none reads everything.
 */
export interface Checkpoint {
  readonly project: Project;
  readonly position: JournalPosition;
  readonly history: ProjectHistory;
}

const DIGEST_LENGTH = 64;

/** The digest covers the build, so that another build decodes nothing of it. */
const digestOf = (build: string, body: Buffer): string =>
  createHash('sha256').update(`${build}\0`).update(body).digest('hex');

export function encodeCheckpoint({ project, position, history }: Checkpoint, build: string): Buffer {
  const body = serialize({ project, position, history } satisfies Checkpoint);
  return Buffer.concat([Buffer.from(digestOf(build, body), 'latin1'), body]);
}

/** Null: it is damaged, or of another build. */
export function decodeCheckpoint(bytes: Buffer, build: string): Checkpoint | null {
  const body = bytes.subarray(DIGEST_LENGTH);
  if (bytes.toString('latin1', 0, DIGEST_LENGTH) !== digestOf(build, body)) return null;
  const value: unknown = deserialize(body);
  return isCheckpoint(value) ? value : null;
}

/** The rest is as this build wrote it: the digest says so. */
function isCheckpoint(value: unknown): value is Checkpoint {
  return typeof value === 'object' && value !== null && 'project' in value && 'position' in value && 'history' in value;
}

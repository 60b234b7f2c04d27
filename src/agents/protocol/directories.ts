import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirs } from '../../evidence/storage/durable.ts';
import type { Phase, Project } from '../config/project.ts';
import { appendProtocolFile } from './inbox.ts';
import { inboxOwners, phaseFiles } from './paths.ts';

/** Creates the files of a phase that are missing, so that every path in a kickoff exists. */
export function ensurePhaseFiles(project: Project, phase: Phase): void {
  const files = phaseFiles(project, phase.id);
  const roles = project.agents.flatMap(({ role }) => (role === null ? [] : [role]));
  for (const role of roles) makeDirs(files.ownDir(role));
  for (const path of [
    files.status,
    files.review,
    files.journal,
    ...Array.from(inboxOwners(project), (owner) => files.inbox(owner)),
  ]) {
    makeDirs(dirname(path));
    appendProtocolFile(path, '');
  }
}

/** Makes a directory, with nothing in it. */
export function makeEmptyDir(dir: string): void {
  makeDirs(dir, 0o700);
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true, force: true });
}

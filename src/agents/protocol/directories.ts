import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirs } from '../../evidence/storage/durable.ts';
import type { Phase, Project } from '../config/project.ts';
import { inboxOwners, phaseFiles } from './paths.ts';

/** Creates the files of a phase that are missing, so that every path in a kickoff exists. */
export function ensurePhaseFiles(project: Project, phase: Phase): void {
  const files = phaseFiles(project, phase.id);
  for (const path of [
    files.status,
    files.review,
    files.journal,
    ...Array.from(inboxOwners(project), (owner) => files.inbox(owner)),
  ]) {
    makeDirs(dirname(path));
    if (!existsSync(path)) writeFileSync(path, '', { flag: 'a' });
  }
}

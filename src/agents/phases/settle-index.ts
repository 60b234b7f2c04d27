import type { Project } from '../config/project.ts';
import type { ProjectHistory } from '../journal/fold.ts';
import { readPhaseIndex, writePhaseIndex } from './index-file.ts';

/**
 * The index that counts. An advance is journalled first and then written: if the writer was killed in between, the file still has the index
 * of the phase that ended, and is written again.
 */
export function settleIndex(project: Project, history: ProjectHistory): number {
  const index = readPhaseIndex(project);
  const phase = project.phases[index];
  const ended = phase === undefined ? null : (history.phases.get(phase.id)?.ended ?? null);
  if (ended === null || ended.index !== index || history.index !== index + 1) return index;
  writePhaseIndex(project, index + 1);
  return index + 1;
}

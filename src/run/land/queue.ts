import { realpathSync } from 'node:fs';
import { listRuns } from '../../evidence/bundle/runs.ts';
import { findRepository } from '../../task/repository-files.ts';
import { readContract } from '../trees/inputs.ts';

/**
 * Directories of the sealed passes of a repository, oldest first: changes of engines and approved ones. Judged commits and earlier
 * landings are landed only by name.
 */
export function passedRuns(runsDir: string, repo: string): readonly string[] {
  const wanted = identityOf(repo);
  return listRuns(runsDir).flatMap(({ dir, state, report }) => {
    if (state !== 'sealed' || report?.status !== 'pass' || report.changed_files.length === 0) return [];
    const { repository, given, judging } = readContract(dir);
    const isMade = given === undefined || given.kind === 'run';
    if (repository === null || repository.dirty || judging === undefined || !isMade) return [];
    return identityOf(repository.path) === wanted ? [dir] : [];
  });
}

/** Clones differ, work trees of one clone do not. Null: there is no repository any more. */
function identityOf(path: string): string | null {
  try {
    return realpathSync(findRepository(path).commonDir);
  } catch {
    return null;
  }
}

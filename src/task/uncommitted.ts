import { readPlain } from './project-files.ts';

/** The file with a repository's defaults for every task in it. */
export const REPOSITORY_DEFAULTS = '.seatrial/task.toml';

/** A sentence for settings that stand in the work tree and not, or not so, in the tree that is worked on; null: there are none. */
export function uncommittedDefaults(repo: string, filesDir: string): string | null {
  const here = readPlain(repo, REPOSITORY_DEFAULTS);
  if (here === null) return null;
  const used = readPlain(filesDir, REPOSITORY_DEFAULTS);
  if (used !== null && used.equals(here)) return null;
  const what = used === null ? 'is not committed' : 'has changes that are not committed';
  return `${REPOSITORY_DEFAULTS} ${what} and has no effect yet; commit it: git add ${REPOSITORY_DEFAULTS} && git commit`;
}

const MAX_NAMED = 3;

/** A sentence about changes of the work tree that a run does not see; null: there are none. */
export function leftOutSentence(paths: readonly string[]): string | null {
  if (paths.length === 0) return null;
  const named = paths.slice(0, MAX_NAMED).join(', ');
  const more = paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : '';
  return `uncommitted changes are left out (${named}${more}); commit them, or add --dirty`;
}

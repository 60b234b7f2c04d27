import type { Contract } from '../../task/contract.ts';

/** The beginning of a question whether a file may decide in the version of the patch; its path follows. */
export const DECIDING_QUESTION = 'deciding:';

/** Files that a person let decide in the version of the patch, each by its whole path. */
export function approvedFiles({ given }: Pick<Contract, 'given'>): ReadonlySet<string> {
  const ids = given?.kind === 'run' ? given.approved : [];
  return new Set(ids.filter((id) => id.startsWith(DECIDING_QUESTION)).map((id) => id.slice(DECIDING_QUESTION.length)));
}

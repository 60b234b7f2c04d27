import { digestOfAsked } from '../evidence/comparison/task-digest.ts';
import { canonicalJson } from '../kernel/canonical.ts';
import { sha256 } from '../kernel/digest.ts';
import type { Contract, Terms } from './contract.ts';
import { builtinTaskDirs, readTask } from './task-directory.ts';
import { type Packed, packedDigest } from './tree/archive.ts';

/** Terms together with the digests of what they are about. */
export function makeContractOf(
  terms: Terms,
  { base, tests }: { readonly base: Packed; readonly tests: Packed | null },
): Contract {
  const digest = ({ sha256: hash, bytes }: Packed): Contract['base'] => ({ sha256: hash, bytes });
  return { ...terms, schema_version: 2, base: digest(base), sealed_tests: tests === null ? null : digest(tests) };
}

/** The contract that a run of these files would have. */
export function contractOf(task: {
  readonly terms: Terms;
  readonly filesDir: string;
  readonly testsDir: string | null;
  /** Of files that were packed before. */
  readonly cached?: { readonly archive: Packed };
}): Contract {
  return makeContractOf(task.terms, {
    base: task.cached?.archive ?? packedDigest(task.filesDir),
    tests: task.testsDir === null ? null : packedDigest(task.testsDir),
  });
}

/** Identifies a task by all that was asked: instruction, terms, files and sealed tests. */
export const contractDigest = (contract: Contract): string => sha256(canonicalJson(contract));

/** The same for every attempt at a task, whichever plan it belongs to. */
export const taskDigest = (contract: Contract): string => digestOfAsked(contract);

/** Whether a task of this name that comes with Seatrial asks exactly this. `digest`: of the task that the contract is for. */
export function isBuiltIn({ repository, task }: Contract, digest: string): boolean {
  if (repository !== null) return false;
  return builtinTaskDirs(task).some((dir) => contractDigest(contractOf(readTask(dir))) === digest);
}

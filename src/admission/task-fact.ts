import type { Contract } from '../task/contract.ts';
import { isBuiltIn, taskDigest } from '../task/contract-of.ts';
import type { TaskFact } from './facts.ts';

/** What decides about a task, from its contract. */
export function taskFactOf(contract: Contract): TaskFact {
  const sha256 = taskDigest(contract);
  return {
    name: contract.task,
    mutation: contract.mutation,
    sha256,
    builtIn: isBuiltIn(contract, sha256),
    repository: contract.repository?.path ?? null,
  };
}

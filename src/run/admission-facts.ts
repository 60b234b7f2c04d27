import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { AdmissionFacts, TaskFact } from '../admission/facts.ts';
import { digestOfAsked } from '../evidence/comparison/task-digest.ts';
import { canonicalJson } from '../kernel/canonical.ts';
import { sha256 } from '../kernel/digest.ts';
import type { Contract, Terms } from '../task/contract.ts';
import { packTree } from '../task/tree/archive.ts';
import { builtinTaskDirs, readTask } from '../task/task-directory.ts';
import { type InputSources, makeContractOf } from './trees/inputs.ts';
import type { Run } from './steps/state.ts';

/** What decides the admission of an engine for this run. */
export function admissionFactsOf(run: Run, task: TaskFact, gathered: AdmissionFacts): AdmissionFacts {
  const { environment, replay } = run.request;
  return {
    ...gathered,
    task,
    confined: environment.confine !== 'none',
    replayed: replay !== undefined,
  };
}

export function taskFactOf({ scratch }: Pick<Run, 'scratch'>, contract: Contract): TaskFact {
  const { task: name, mutation, repository } = contract;
  const digest = taskDigest(contract);
  const alike = repository === null ? builtinTaskDirs(name) : [];
  const builtIn = alike.some((dir) => contractDigest(contractOf(readTask(dir), scratch)) === digest);
  return { name, mutation, sha256: digest, builtIn };
}

/** The same for every attempt at a task, whichever plan it belongs to. */
export const taskDigest = (contract: Contract): string => digestOfAsked(contract);

/** Identifies a task by all that was asked: instruction, terms, files and sealed tests. */
export const contractDigest = (contract: Contract): string => sha256(canonicalJson(contract));

/** The contract that a run of a task directory would have. */
export function contractOf(task: InputSources & { readonly terms: Terms }, scratch: string): Contract {
  const dir = mkdtempSync(join(scratch, 'contract-'));
  return makeContractOf(task.terms, {
    base: packTree(task.filesDir, join(dir, 'base.tar')),
    tests: task.testsDir === null ? null : packTree(task.testsDir, join(dir, 'tests.tar')),
  });
}

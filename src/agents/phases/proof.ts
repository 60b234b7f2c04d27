import * as z from 'zod/mini';
import { join, resolve } from 'node:path';
import type { Phase, Project } from '../config/project.ts';
import { type OwnOutput, runOwnCommand } from './own-process.ts';

/** How a proof ended. */
export interface ProofResult {
  readonly verdict: 'pass' | 'fail' | 'blocked';
  readonly reason: string | null;
  readonly bundle: string | null;
}

interface ProofRequest {
  readonly project: Project;
  readonly phase: Phase;
  readonly repo: string;
  readonly base: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

/** Where the bundles of a project's proofs are kept. */
export const proofRuns = ({ logDir }: Project): string => join(logDir, 'runs');

/** The part of a report that decides. */
const judged = z.object({
  status: z.enum(['pass', 'fail', 'blocked']),
  failure_reason: z.nullable(z.string()),
  run_dir: z.string(),
  proof: z.optional(z.nullable(z.string())),
});

/** Judges the claimed commit in a process of its own, never in a pane. Never rejects. */
export async function runProof({ project, phase, repo, base, commit, signal }: ProofRequest): Promise<ProofResult> {
  const proof = phase.proof;
  const args = [
    'judge',
    '--bundle',
    '--json',
    '--repo',
    repo,
    '--base',
    base,
    '--commit',
    commit,
    '--runs',
    proofRuns(project),
    ...(proof === null ? [] : ['--test', proof.test]),
    ...(proof?.setup === undefined ? [] : ['--setup', proof.setup]),
    ...(proof?.timeout === undefined ? [] : ['--timeout', String(proof.timeout)]),
    ...(proof?.sealed === undefined ? [] : ['--sealed', resolve(project.dir, proof.sealed)]),
    ...(proof?.must_fix === undefined ? [] : ['--must-fix', ...proof.must_fix]),
  ];
  return resultOf(await runOwnCommand({ args, cwd: project.dir, signal }), proof?.require ?? 'kept');
}

/** Only a report can say pass; an exit code alone cannot. */
function resultOf({ stdout, failure }: OwnOutput, require: 'kept' | 'fixed'): ProofResult {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return { verdict: 'blocked', reason: failure ?? 'the judge gave no report', bundle: null };
  }
  const parsed = judged.safeParse(value);
  if (!parsed.success) return { verdict: 'blocked', reason: 'the report of the judge cannot be read', bundle: null };
  const { status, failure_reason: reason, run_dir: bundle, proof } = parsed.data;
  if (status === 'pass' && require === 'fixed' && proof !== 'fixed')
    return { verdict: 'fail', reason: 'no failing test was fixed', bundle };
  return { verdict: status, reason, bundle };
}

import * as z from 'zod/mini';
import { findRepository, lookUpRef } from '../../task/repository-files.ts';
import type { Project } from '../config/project.ts';
import { runOwnCommand } from './own-process.ts';
import { proofRuns } from './proof.ts';

/** `fail`: the builder can mend it. `blocked`: a person has to, or it passes with time. */
export interface LandingResult {
  readonly verdict: 'landed' | 'fail' | 'blocked';
  readonly reason: string | null;
  /** The commit on the branch; null: it did not land. */
  readonly landed: string | null;
}

interface LandingRequest {
  readonly project: Project;
  readonly branch: string;
  /** Of the proof that passed. */
  readonly bundle: string;
  readonly signal: AbortSignal;
}

const printed = z.object({
  runs: z.array(
    z.object({
      outcome: z.enum(['landed', 'already landed', 'held', 'dry run']),
      commit: z.optional(z.nullable(z.string())),
      reasons: z.optional(z.array(z.object({ code: z.string(), status: z.string(), text: z.string() }))),
    }),
  ),
});

/** Codes that the builder can mend though they are no verdict on its tests. */
const FOR_THE_BUILDER: ReadonlySet<string> = new Set(['landing_conflict']);

/**
 * Takes a proven claim through the merge gate. Whatever was killed in between: a change that landed is found by its attestation and lands no
 * second time. Never rejects.
 */
export async function runLanding({ project, branch, bundle, signal }: LandingRequest): Promise<LandingResult> {
  const { stdout, failure } = await runOwnCommand({
    args: [
      'land',
      bundle,
      '--onto',
      branch,
      '--repo',
      project.repo,
      '--runs',
      proofRuns(project),
      '--unattended',
      '--json',
    ],
    cwd: project.dir,
    signal,
  });
  const [run] = runsIn(stdout);
  if (run === undefined) return { verdict: 'blocked', reason: failure ?? 'the landing gave no result', landed: null };
  if (run.outcome === 'landed' || run.outcome === 'already landed')
    return { verdict: 'landed', reason: null, landed: run.commit ?? tipOf(project.repo, branch) };
  const reasons = run.reasons ?? [];
  const mends = reasons.some(({ code, status }) => status === 'fail' || FOR_THE_BUILDER.has(code));
  const reason = reasons.map(({ text }) => text).join('; ') || 'held without a reason';
  return { verdict: mends ? 'fail' : 'blocked', reason, landed: null };
}

function runsIn(stdout: string): z.infer<typeof printed>['runs'] {
  try {
    return printed.parse(JSON.parse(stdout)).runs;
  } catch {
    return [];
  }
}

function tipOf(repo: string, branch: string): string | null {
  try {
    return lookUpRef(findRepository(repo), `refs/heads/${branch}`);
  } catch {
    return null;
  }
}

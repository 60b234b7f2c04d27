import { type ExpectedReason } from '../../../engines/self-test.ts';
import { fakeEngine } from '../../../engines/fake/engine.ts';
import type { EventType } from '../../../evidence/schema/events.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import type { Terms } from '../../../task/contract.ts';
import type { InputSources } from '../../trees/inputs.ts';
import { onRepository, type RepositoryTexts } from '../own-repository.ts';
import { type Row, seenIn, type WeakResult } from '../row.ts';
import type { RunRequest } from '../../request.ts';
import { runTask } from '../../run.ts';
import type { NoWeakJudge, WeakJudge } from './weak-judges.ts';
import { readOutput, tryWeakJudge } from './weak-trial.ts';

/** An engine that does not do the task but tries to pass. */
export interface Forger {
  readonly name: string;
  /** Shell script, run in the workspace with the fake engine's commands (`say`, `claim`, `solve`). */
  readonly script: string;
  readonly reason: ExpectedReason;
  readonly event: EventType;
  readonly status?: 'fail' | 'blocked';
  readonly says?: RegExp;
  readonly slow?: boolean;
  readonly terms?: Partial<Terms>;
  /** Content of `/solution`: by default the task's oracle; null for none. */
  readonly solution?: string | null;
  /** Inputs to use instead of those in the request. */
  readonly inputs?: InputSources;
  /**
   * Plays in a repository of these files, with its tests in its tree and no oracle; then `inputs` and `terms` are
   * ignored.
   */
  readonly repository?: RepositoryTexts;
  /** Test command of that repository, unless it is pytest's. */
  readonly test?: string;
  /** Sets up what that repository depends on. */
  readonly setup?: string;
  /** A program that the row cannot be played without, and that not every machine has. */
  readonly needs?: string;
  /** The weaker judge that it fools. */
  readonly weak: WeakJudge | NoWeakJudge;
}

/** The change is visible, so the harness's own diff names it. */
export const SEEN_IN_DIFF = { event: 'git.diff.checked', status: 'fail' } as const;
export const SEEN_BY_JUDGE = { event: 'verification.completed', status: 'fail' } as const;
/** Detected before there is a diff: when the tree is read, or when the engine exits. */
export const SEEN_IN_TREE = { event: 'backend.exited', status: 'blocked' } as const;
export const SEEN_AT_ITS_END = { event: 'backend.exited', status: 'fail' } as const;

/** Changes the task's file without fixing anything. */
export const PRETEND = `printf '\\n# mended\\n' >> strings.py`;

export function forgerRow(kind: string, forger: Forger): Row {
  const { name, reason, event, status = 'fail', says, slow = false, needs } = forger;
  return {
    name,
    kind,
    slow,
    ...(needs === undefined ? {} : { needs }),
    expected: { reason, event, status, exit: EXIT[status], ...(says === undefined ? {} : { says }) },
    play: (request) => playForger(forger, request),
  };
}

export async function playForger(forger: Forger, request: RunRequest): ReturnType<Row['play']> {
  const { script, terms, solution, inputs = request.inputs, repository, test, setup } = forger;
  if (repository !== undefined)
    return onRepository(request, repository, script, (hostile) => playHostile(forger, hostile, null), test, setup);
  const hostile: RunRequest = {
    ...request,
    inputs,
    terms: { ...request.terms, ...terms },
    solutionDir: solution === undefined ? request.solutionDir : solution,
    engine: fakeEngine({ script }),
  };
  return playHostile(forger, hostile, request.solutionDir);
}

async function playHostile({ weak }: Forger, hostile: RunRequest, oracleDir: string | null): ReturnType<Row['play']> {
  let says = '';
  let found: WeakResult | undefined;
  const report = await runTask({
    ...hostile,
    afterEngine: async (left) => {
      says = readOutput(left);
      if (!('none' in weak)) found = await tryWeakJudge(weak, left, hostile, oracleDir);
    },
  });
  const tried: WeakResult =
    'none' in weak ? { judge: null, fooled: false, why: weak.none } : (found ?? { judge: weak.name, fooled: false });
  return { seen: seenIn(report, says), run: report.run_id, weak: tried };
}

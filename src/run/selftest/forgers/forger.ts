import { fakeEngine } from '../../../engines/fake/engine.ts';
import type { EventType } from '../../../evidence/schema/events.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import type { Terms } from '../../../task/contract.ts';
import type { InputSources } from '../../inputs.ts';
import { onRepository, type RepositoryTexts } from '../own-repository.ts';
import { type Row, seenIn, type WeakResult } from '../row.ts';
import type { RunRequest } from '../../request.ts';
import { runTask } from '../../run.ts';
import type { NoWeakJudge, WeakJudge } from './weak-judges.ts';
import { readWords, tryWeakJudge } from './weak-trial.ts';

/** An engine that does not do the task and wants to pass all the same. */
export interface Forger {
  readonly name: string;
  /** Shell, run in the workspace with the fake engine's words (`say`, `claim`, `solve`). */
  readonly script: string;
  readonly reason: RegExp;
  readonly event: EventType;
  readonly status?: 'fail' | 'blocked';
  readonly says?: RegExp;
  readonly slow?: boolean;
  readonly terms?: Partial<Terms>;
  /** What stands at `/solution`: the task's oracle unless said; null: nothing. */
  readonly solution?: string | null;
  /** Another task's files than those of the order. */
  readonly inputs?: InputSources;
  /** It works in a repository of these files, which has no oracle and its tests in its tree; `inputs` and `terms` do not count there. */
  readonly repository?: RepositoryTexts;
  /** Whom it fools. */
  readonly weak: WeakJudge | NoWeakJudge;
}

/** Where its change lies in the open, the harness's own diff names it. */
export const SEEN_IN_DIFF = { event: 'git.diff.checked', status: 'fail' } as const;
export const SEEN_BY_JUDGE = { event: 'verification.completed', status: 'fail' } as const;
/** Before there is a diff: when the tree is read, or when the engine ends. */
export const SEEN_IN_TREE = { event: 'backend.exited', status: 'blocked' } as const;
export const SEEN_AT_ITS_END = { event: 'backend.exited', status: 'fail' } as const;

/** Touches the file that the task is about, and mends nothing. */
export const PRETEND = `printf '\\n# mended\\n' >> strings.py`;

export function forgerRow(kind: string, forger: Forger): Row {
  const { name, reason, event, status = 'fail', says, slow = false } = forger;
  return {
    name,
    kind,
    slow,
    expected: { reason, event, status, exit: EXIT[status], ...(says === undefined ? {} : { says }) },
    play: (order) => playForger(forger, order),
  };
}

export async function playForger(forger: Forger, order: RunRequest): ReturnType<Row['play']> {
  const { script, terms, solution, inputs = order.inputs, repository } = forger;
  if (repository !== undefined)
    return onRepository(order, repository, script, (hostile) => playHostile(forger, hostile, null));
  const hostile: RunRequest = {
    ...order,
    inputs,
    terms: { ...order.terms, ...terms },
    solutionDir: solution === undefined ? order.solutionDir : solution,
    engine: fakeEngine({ script }),
  };
  return playHostile(forger, hostile, order.solutionDir);
}

async function playHostile({ weak }: Forger, hostile: RunRequest, oracleDir: string | null): ReturnType<Row['play']> {
  let says = '';
  let found: WeakResult | undefined;
  const report = await runTask({
    ...hostile,
    afterEngine: async (left) => {
      says = readWords(left);
      if (!('none' in weak)) found = await tryWeakJudge(weak, left, hostile, oracleDir);
    },
  });
  const tried: WeakResult =
    'none' in weak ? { judge: null, fooled: false, why: weak.none } : (found ?? { judge: weak.name, fooled: false });
  return { seen: seenIn(report, says), run: report.run_id, weak: tried };
}

import { type AgentResult, failedCategories } from '../agent/envelope.ts';
import { type CasePhase, phasesOf, type Profile, REVISIONS } from './words.ts';

/** One possible run of a phase. Each time an evaluator sends the work back, another cycle starts. */
export interface Node {
  readonly phase: CasePhase;
  readonly cycle: number;
  state: 'pending' | 'running' | 'completed' | 'failed' | 'skipped';
  result: AgentResult | null;
}

const ONCE: readonly CasePhase[] = ['close', 'retrospective'];

export function makeNodes(profile: Profile): Node[] {
  const node = (phase: CasePhase, cycle: number): Node => ({ phase, cycle, state: 'pending', result: null });
  const phases = phasesOf(profile);
  const cycles = Array.from({ length: REVISIONS + 1 }, (_, cycle) =>
    phases.filter((phase) => !ONCE.includes(phase)).map((phase) => node(phase, cycle)),
  );
  return [...cycles.flat(), ...ONCE.map((phase) => node(phase, 0))];
}

/** Null at the end of the pipeline. After a failure only the retrospective runs. */
export function nextNode(nodes: readonly Node[]): Node | null {
  const last = nodes.filter(({ phase }) => ONCE.includes(phase));
  if (isBroken(nodes)) return last.find(isPendingRetrospective) ?? null;
  for (let cycle = 0; cycle <= REVISIONS; cycle += 1) {
    const path = nodes.filter((node) => node.cycle === cycle && !ONCE.includes(node.phase));
    const sentBack = path.findIndex((node) => node.state === 'completed' && failedCategories(node.result).length > 0);
    const again = sentBack !== -1 && cycle < REVISIONS;
    const open = (again ? path.slice(0, sentBack) : path).find(({ state }) => state === 'pending');
    if (open !== undefined) return open;
    if (!again) break;
  }
  return last.find(({ state }) => state === 'pending') ?? null;
}

export const isBroken = (nodes: readonly Node[]): boolean => nodes.some(({ state }) => state === 'failed');

const isPendingRetrospective = ({ phase, state }: Node): boolean => phase === 'retrospective' && state === 'pending';

const STATUS_WHILE: Partial<Record<CasePhase, string>> = {
  implement: 'implementing',
  verify: 'verifying',
  review: 'reviewing',
  close: 'closing',
};

/** The task's status, derived from running and finished phases. */
export function statusOf(nodes: readonly Node[]): string {
  const running = nodes.find(({ state }) => state === 'running');
  const busy = running === undefined ? undefined : STATUS_WHILE[running.phase];
  if (busy !== undefined) return busy;
  if (nodes.some(({ phase, state }) => phase === 'close' && state === 'completed')) {
    return nodes.every(({ state }) => state === 'completed' || state === 'skipped') ? 'merged' : 'pr-opened';
  }
  return nodes.some((node) => node.phase === 'review' && node.state === 'completed') ? 'evaluating' : 'active';
}

/** Skips the phases before the task's recorded status; all of them if it has none. */
export function believeStatus(nodes: readonly Node[], status: string | undefined): void {
  if (status === 'active') return;
  for (const phase of ['implement', 'verify', 'review', 'close'] as const) {
    if (STATUS_WHILE[phase] === status) return;
    const node = nodes.find((candidate) => candidate.phase === phase && candidate.cycle === 0);
    if (node?.state === 'pending') node.state = 'completed';
  }
}

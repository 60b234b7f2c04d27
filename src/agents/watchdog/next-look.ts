import type { Agent, Phase } from '../config/project.ts';
import type { AgentHistory } from '../journal/agent-history.ts';
import { kickoffKind } from './gather.ts';

export const LOOK_EVERY_MS = 2000;
/** While something is about to happen: a kickoff to be taken, a restart that is due. */
export const LOOK_SOON_MS = 300;
/** While a program starts. */
const LOOK_NEXT_MS = 60;
const STARTING_MS = 3000;
/** A kickoff that is not taken by then waits for a person. */
const KICKOFF_AWAITED_MS = 60_000;

/** When an agent has to be looked at again, in milliseconds. */
export function nextLook(agent: Agent, own: AgentHistory | null, phase: Phase | null, now: Date): number {
  if (own === null) return LOOK_EVERY_MS;
  if (own.planned !== null) return LOOK_SOON_MS;
  const { current } = own;
  if (current === null || current.end !== null || current.kickoff !== null || agent.backend === null)
    return LOOK_EVERY_MS;
  const age = now.getTime() - current.startedAt.getTime();
  if (age < STARTING_MS) return LOOK_NEXT_MS;
  const awaited = age < KICKOFF_AWAITED_MS && kickoffKind(agent, phase, current.started.resumed) !== null;
  return awaited ? LOOK_SOON_MS : LOOK_EVERY_MS;
}

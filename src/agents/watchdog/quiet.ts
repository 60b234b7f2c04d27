import { ADVERSARY_ROLE, BUILDER_ROLE } from '../config/project.ts';
import { AFTER_LIMIT, type SpawnRecord } from '../journal/agent-history.ts';
import { turnedDown } from '../journal/phase-history.ts';
import type { AgentAction, AgentFacts } from './facts.ts';

/** A kickoff that was not seen to be taken within this time is delivered again, once. */
const KICKOFF_LIMIT_MS = 30_000;
/** How long a nudge may take to show an effect. */
const NUDGE_LIMIT_MS = 120_000;

/** Asks for a person; an idle composer is no sign that this is over. */
const NOT_TAKEN = 'kickoff not taken';

const DIALOGS: Readonly<Record<string, string>> = { login: 'login', trust: 'trust', permission: 'permission' };

/** What to do to an agent whose process lives, from its screen, its progress and what the phase expects of it. */
export function decideQuiet(facts: AgentFacts, current: SpawnRecord, now: Date): AgentAction | null {
  return decideDialog(facts, current, now) ?? decideKickoff(facts, current, now) ?? decideStall(facts, current, now);
}

/** Prompts that only a person may answer, and limits that only time ends. Nothing is typed into either. */
function decideDialog({ agent, screen, history }: AgentFacts, current: SpawnRecord, now: Date): AgentAction | null {
  if (screen === null) return null;
  const evidence = screen.evidence === null ? [] : [`screen: ${screen.evidence}`];
  const needed = DIALOGS[screen.state];
  if (needed !== undefined) return current.needs?.what === needed ? null : { do: 'note-needs', what: needed, evidence };
  if (screen.state === 'limit' && current.limit === null) return { do: 'note-limit', until: screen.until, evidence };
  const { limit, needs } = current;
  if (limit !== null && screen.state === 'limit')
    return afterLimit(agent.resume, history.resumes < agent.maxResumes, limit, needs, now);
  const moves = screen.state === 'working' || (screen.state === 'idle' && needs?.what !== NOT_TAKEN);
  if ((limit !== null || needs !== null) && moves) return { do: 'note-recovered', evidence };
  return null;
}

function afterLimit(
  policy: AgentFacts['agent']['resume'],
  mayResume: boolean,
  { until, since }: NonNullable<SpawnRecord['limit']>,
  needs: SpawnRecord['needs'],
  now: Date,
): AgentAction | null {
  if (until === null) return ask(needs, 'usage limit without a reset time', since);
  if (now < until || policy === 'off') return null;
  if (policy === 'auto' && mayResume) return { do: 'stop', why: AFTER_LIMIT };
  return ask(needs, policy === 'ask' ? 'limit over' : 'too many resumes', until);
}

const ask = (needs: SpawnRecord['needs'], what: string, since: Date): AgentAction | null =>
  needs?.what === what ? null : { do: 'note-needs', what, evidence: [`since ${since.toISOString()}`] };

function decideKickoff(
  { screen, kickoff, kickoffSeen }: AgentFacts,
  current: SpawnRecord,
  now: Date,
): AgentAction | null {
  if (kickoff === null || current.kickoff?.taken === true || current.needs !== null || current.limit !== null)
    return null;
  const waited = now.getTime() - (current.kickoff?.at ?? current.startedAt).getTime();
  if (kickoffSeen || screen?.state === 'working')
    return { do: 'note-kickoff', taken: true, evidence: [`screen: ${screen?.evidence ?? ''}`] };
  const again = current.kickoff !== null;
  if (screen?.state === 'idle' && kickoff === 'paste' && !again) return { do: 'paste-kickoff' };
  if (waited < KICKOFF_LIMIT_MS) return null;
  if (screen === null && !again)
    return { do: 'note-kickoff', taken: true, evidence: ['its screens are not known; the process lives'] };
  if (again) return { do: 'note-needs', what: NOT_TAKEN, evidence: [`screen: ${screen?.evidence ?? 'unknown'}`] };
  if (screen?.state === 'idle') return { do: 'paste-kickoff' };
  return { do: 'note-kickoff', taken: false, evidence: [`no sign of work within ${KICKOFF_LIMIT_MS / 1000} s`] };
}

function decideStall(facts: AgentFacts, current: SpawnRecord, now: Date): AgentAction | null {
  const { agent, progressAt, busyChildren, waitsUntil, screen } = facts;
  if (agent.watch !== 'heal+stall' || current.needs !== null || current.limit !== null) return null;
  const quietMs = now.getTime() - Math.max(progressAt.getTime(), current.startedAt.getTime());
  if (quietMs < agent.stallAfterMs || busyChildren.length > 0) return recovered(current, quietMs, agent.stallAfterMs);
  if (waitsUntil !== null && waitsUntil > now) return null;
  if (screen?.state === 'idle' && mayBeIdle(facts)) return null;
  const evidence = [
    `no progress for ${Math.round(quietMs / 1000)} s on screen, in git or in hooks`,
    `screen: ${screen?.state ?? 'unknown'} (${screen?.evidence ?? 'nothing to go by'})`,
    'no busy process below the program',
  ];
  if (current.nudgedAt === null) return { do: 'nudge', evidence };
  const limit = Math.min(NUDGE_LIMIT_MS, agent.stallAfterMs);
  return now.getTime() - current.nudgedAt.getTime() < limit ? null : { do: 'restart-stalled', evidence };
}

function recovered({ nudgedAt, stalled }: SpawnRecord, quietMs: number, limit: number): AgentAction | null {
  if ((nudgedAt === null && stalled === null) || quietMs >= limit) return null;
  return { do: 'note-recovered', evidence: [`progress ${Math.round(quietMs / 1000)} s ago`] };
}

/** Waiting for the other side is no stall: the builder for a verdict, the adversary for a claim. */
function mayBeIdle({ agent, phaseHistory }: AgentFacts): boolean {
  if (agent.kind !== 'loop') return true;
  const claim = phaseHistory?.claim ?? null;
  const open = claim !== null && !turnedDown(claim);
  if (agent.role === BUILDER_ROLE) return open;
  if (agent.role === ADVERSARY_ROLE) return claim === null || claim.verdict !== null || turnedDown(claim);
  return true;
}

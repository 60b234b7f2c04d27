import { ADVERSARY_ROLE } from '../config/project.ts';
import type { SessionFacts } from '../host/port.ts';
import { AFTER_LIMIT, type AgentHistory, HEAL, type SpawnRecord } from '../journal/agent-history.ts';
import type { AgentAction, AgentFacts } from './facts.ts';
import { decideQuiet } from './quiet.ts';
import { nextRestart } from './restarts.ts';

/** A start is journalled first; its session may take this long to be there. */
const CREATING_MS = 3000;

/** While a person attached to a session was active this recently, nothing is typed, nudged or restarted there. */
const HANDS_OFF_MS = 120_000;

/** Pure: what to do to one agent now. Null: leave it alone. `jitter` is a factor around 1. */
export function decideAgent(facts: AgentFacts, now: Date, jitter: number): AgentAction | null {
  const { session, history, paused } = facts;
  if (session === 'foreign') return null;
  if (session === null || session.dead !== null) return decideEnded(facts, session, now, jitter);
  const { current } = history;
  if (paused || history.wanted !== 'up' || current === null) return null;
  if (session.spawn !== current.started.spawn) return decideEarlier(session, history, now);
  if (current.end !== null) return null;
  return decideLiving(facts, session, current, now);
}

/**
 * Two that start the same agent at once, such as `up` and a watchdog whose server was killed, leave a session that the journal has given up. It is ended, so
 * that the agent can be started again. A session that the journal does not know is shown, never touched.
 */
function decideEarlier(session: SessionFacts, { earlier }: AgentHistory, now: Date): AgentAction | null {
  if (session.spawn === null || !earlier.has(session.spawn) || isInUse(session, now)) return null;
  return { do: 'stop-earlier', spawn: session.spawn, why: 'another start has replaced it' };
}

const isInUse = ({ personActiveAt }: SessionFacts, now: Date): boolean =>
  personActiveAt !== null && now.getTime() - personActiveAt.getTime() < HANDS_OFF_MS;

/** Why a loop must not run now; null: it may. */
function parked({ agent, phase, phaseHistory }: AgentFacts): string | null {
  if (agent.kind !== 'loop') return null;
  if (phase === null) return 'all phases are done';
  const needs = phaseHistory?.needs ?? null;
  return needs === null ? null : `the phase needs you: ${needs}`;
}

function decideEnded(facts: AgentFacts, session: SessionFacts | null, now: Date, jitter: number): AgentAction | null {
  const { agent, history, phase, paused } = facts;
  const { current } = history;
  // `down` journals what it ends itself.
  if (history.wanted === 'down') return null;
  if (current !== null && current.end === null) {
    const creating = session === null && now.getTime() - current.startedAt.getTime() < CREATING_MS;
    if (creating) return null;
    // Written down just before it died: what starts next is to go on with it.
    if (facts.conversation !== null) return { do: 'note-conversation', conversation: facts.conversation };
    return recordDeath(facts, session);
  }
  if (paused || !agent.enabled) return null;
  if (agent.scheduleMs !== null) return decideScheduled(agent.scheduleMs, current, now);
  if (history.wanted !== 'up' || parked(facts) !== null || history.failed !== null) return null;
  if (waitsForHandover(facts)) return null;
  if (current === null) return agent.kind === 'task' ? null : { do: 'start', why: 'wanted', resume: false };
  if (agent.kind === 'loop' && phase !== null && current.started.phase !== phase.id)
    return { do: 'start', why: `phase ${phase.id}`, resume: false };
  const { end } = current;
  if (end === null || end.type === 'agent.done') return null;
  if (end.type === 'agent.stopped' && !end.why.startsWith(HEAL)) return afterStop(facts, end.why);
  if (agent.kind === 'task') return { do: 'give-up', why: 'a task is not restarted' };
  const clean = end.type === 'agent.died' && end.how === 'exited' && end.code === 0;
  if (!clean && agent.watch === 'none') return null;
  const why = end.type === 'agent.stopped' ? end.why.slice(HEAL.length + 2) : clean ? 'exited with code 0' : 'crashed';
  return nextRestart({ history, end, now, jitter, why, resume: agent.kind !== 'service' && !resumeFailed(current) });
}

/** A program that does not know a conversation exits before it takes its kickoff: then it gets a new one. */
function resumeFailed({ started, kickoff, end }: SpawnRecord): boolean {
  return (
    started.resumed && kickoff?.taken !== true && end?.type === 'agent.died' && end.how === 'exited' && end.code !== 0
  );
}

/** A task with a schedule runs whenever its last start is that long ago, however that one ended. */
function decideScheduled(everyMs: number, current: SpawnRecord | null, now: Date): AgentAction | null {
  const due = current === null || now.getTime() - current.startedAt.getTime() >= everyMs;
  return due ? { do: 'start', why: 'schedule', resume: false } : null;
}

/** What was stopped on purpose starts again by the purpose it was stopped for. */
function afterStop({ agent }: AgentFacts, why: string): AgentAction | null {
  if (agent.kind === 'task') return null;
  return { do: 'start', why, resume: why === AFTER_LIMIT };
}

function recordDeath({ agent }: AgentFacts, session: SessionFacts | null): AgentAction {
  if (session === null) return { do: 'record-death', outcome: 'died', evidence: ['the session is gone'] };
  const { code, signal } = session.dead ?? { code: null, signal: null };
  const clean = code === 0 && signal === null;
  return {
    do: 'record-death',
    outcome: clean && agent.kind === 'task' ? 'done' : 'died',
    evidence: [signal === null ? `exit code ${code ?? 'unknown'}` : `killed by ${signal}`],
  };
}

function decideLiving(facts: AgentFacts, session: SessionFacts, current: SpawnRecord, now: Date): AgentAction | null {
  const { agent, phase } = facts;
  const why = parked(facts);
  if (why !== null) return { do: 'stop', why };
  if (agent.kind === 'loop' && phase !== null && current.started.phase !== phase.id)
    return { do: 'stop', why: `phase ${phase.id}` };
  if (needsFreshConversation(facts, current)) return { do: 'stop', why: 'a new claim needs a fresh conversation' };
  if (facts.conversation !== null) return { do: 'note-conversation', conversation: facts.conversation };
  if (isInUse(session, now)) return null;
  return agent.kind === 'service' ? null : decideQuiet(facts, current, now);
}

/** A new claim is given to the adversary before its next start. */
function waitsForHandover({ agent, phaseHistory }: AgentFacts): boolean {
  const claim = phaseHistory?.claim ?? null;
  return agent.role === ADVERSARY_ROLE && claim !== null && claim.reviewFrom === null;
}

/** The adversary examines each claim without memory of earlier ones, and from the moment that it was given the commit. */
function needsFreshConversation({ agent, phaseHistory }: AgentFacts, { startedAt }: SpawnRecord): boolean {
  const claim = phaseHistory?.claim ?? null;
  if (agent.role !== ADVERSARY_ROLE || claim === null || claim.verdict !== null) return false;
  return claim.handedAt === null || claim.handedAt > startedAt;
}

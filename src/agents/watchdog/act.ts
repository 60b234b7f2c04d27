import { readFileSync } from 'node:fs';
import type { Agent, Phase, Project } from '../config/project.ts';
import type { Fence, Guard, SessionHost } from '../host/port.ts';
import { HEAL, type SpawnRecord } from '../journal/agent-history.ts';
import type { JournalFact } from '../journal/schema.ts';
import type { Journal } from '../journal/store.ts';
import { typeInto } from '../lifecycle/type-into.ts';
import { startAgent } from '../lifecycle/start.ts';
import { kickoffFileOf } from '../protocol/paths.ts';
import type { AgentAction, AgentFacts } from './facts.ts';

/** The watchdog that was replaced: it must not do anything more. */
export class FencedOut extends Error {}

export interface ActionContext {
  readonly project: Project;
  readonly host: SessionHost;
  readonly journal: Journal;
  readonly fence: Fence;
  readonly phase: Phase | null;
  readonly base: string | null;
}

const NUDGE =
  'You have made no visible progress for a while. Go on with your task, or say in one line what you wait for.';

/** Carries out one decision, and journals it with its evidence. Throws `FencedOut` if another watchdog has taken over. */
export async function act(action: AgentAction, facts: AgentFacts, context: ActionContext): Promise<void> {
  const { agent, history } = facts;
  const { journal } = context;
  const { current } = history;
  const spawn = current?.started.spawn ?? '';
  const noted = { agent: agent.name, spawn };
  const note = (...drafts: readonly JournalFact[]): Promise<unknown> => journal.append(...drafts);
  switch (action.do) {
    case 'record-death':
      await note(deathFact(action, facts, noted));
      return;
    case 'plan-restart':
      await note({ type: 'restart.planned', ...noted, at: action.at.toISOString(), attempt: action.attempt });
      return;
    case 'give-up':
      await note({ type: 'agent.failed', ...noted, why: action.why });
      return;
    case 'note-kickoff':
      await note({ type: 'kickoff.delivered', ...noted, taken: action.taken, evidence: [...action.evidence] });
      return;
    case 'note-conversation':
      await note({ type: 'agent.conversation', ...noted, conversation: action.conversation });
      return;
    case 'note-needs':
      await note({ type: 'agent.needs', ...noted, what: action.what, evidence: [...action.evidence] });
      return;
    case 'note-limit':
      await note({
        type: 'agent.limited',
        ...noted,
        until: action.until?.toISOString() ?? null,
        evidence: [...action.evidence],
      });
      return;
    case 'note-recovered':
      await note({ type: 'agent.recovered', ...noted, evidence: [...action.evidence] });
      return;
    case 'start':
      await start(action, agent, current, context);
      return;
    case 'stop':
      if (await ended(agent, spawn, context)) await note({ type: 'agent.stopped', ...noted, why: action.why });
      return;
    case 'stop-earlier':
      if (await ended(agent, action.spawn, context))
        await note({ type: 'agent.stopped', agent: agent.name, spawn: action.spawn, why: action.why });
      return;
    case 'restart-stalled':
      await note({ type: 'agent.stalled', ...noted, evidence: [...action.evidence] });
      if (await ended(agent, spawn, context)) await note({ type: 'agent.stopped', ...noted, why: `${HEAL}: stalled` });
      return;
    case 'nudge':
      await type(agent, spawn, NUDGE, context);
      await note(
        { type: 'agent.stalled', ...noted, evidence: [...action.evidence] },
        { type: 'agent.nudged', ...noted, evidence: [...action.evidence] },
      );
      return;
    case 'paste-kickoff': {
      await type(agent, spawn, readFileSync(kickoffFileOf(context.project, agent), 'utf8'), context);
      await note({ type: 'kickoff.delivered', ...noted, taken: false, evidence: ['pasted'] });
      return;
    }
    default:
      action satisfies never;
  }
}

function deathFact(
  action: Extract<AgentAction, { readonly do: 'record-death' }>,
  { session }: AgentFacts,
  noted: { readonly agent: string; readonly spawn: string },
): JournalFact {
  if (action.outcome === 'done') return { type: 'agent.done', ...noted };
  const dead = session === null || session === 'foreign' ? null : session.dead;
  // A shell reports the signal that ended its program as 128 + its number.
  const bySignal = dead !== null && (dead.signal !== null || (dead.code ?? 0) > 128);
  return {
    type: 'agent.died',
    ...noted,
    how: dead === null ? 'gone' : bySignal ? 'killed' : 'exited',
    code: dead?.code ?? null,
    signal: dead?.signal ?? (bySignal ? `signal ${(dead?.code ?? 128) - 128}` : null),
    evidence: [...action.evidence],
  };
}

function guardOf({ project, fence }: ActionContext, spawn: string): Guard {
  return { project: project.id, spawn, fence };
}

/** False: the session is not this spawn's any more, so nothing was done. */
async function ended(agent: Agent, spawn: string, context: ActionContext): Promise<boolean> {
  const result = await context.host.end(agent.session, guardOf(context, spawn));
  if (result.kind === 'refused') await checkFence(context);
  return result.kind === 'done' || result.kind === 'gone';
}

async function start(
  action: Extract<AgentAction, { readonly do: 'start' }>,
  agent: Agent,
  current: SpawnRecord | null,
  context: ActionContext,
): Promise<void> {
  const { project, host, journal, phase, base, fence } = context;
  // The dead pane of the last start.
  if (current !== null && !(await ended(agent, current.started.spawn, context))) await removeDead(agent, context);
  const conversation = action.resume ? (current?.conversation ?? null) : null;
  const { result } = await startAgent(
    { project, agent, phase, base, why: action.why, conversation, fence },
    host,
    journal,
  );
  if (result.kind === 'refused') await checkFence(context);
}

/** Two that start an agent at once leave the session of one and the fact of the other: the dead pane is then not that of the last start. */
async function removeDead({ session: name }: Agent, { host, project, fence }: ActionContext): Promise<void> {
  const view = await host.list();
  const session = view.kind === 'present' ? view.sessions.get(name) : undefined;
  if (session === undefined || session.dead === null || session.project !== project.id) return;
  await host.end(name, { project: project.id, spawn: session.spawn, fence });
}

async function type(agent: Agent, spawn: string, text: string, context: ActionContext): Promise<void> {
  const result = await typeInto(context.host, agent.session, text, guardOf(context, spawn));
  if (result.kind === 'refused') await checkFence(context);
}

async function checkFence({ host, fence }: ActionContext): Promise<void> {
  const now = await host.fence(fence.name);
  if (now !== null && now > fence.value) throw new FencedOut('another watchdog has taken over');
}

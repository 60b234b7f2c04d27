import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { agentModel } from '../config/models.ts';
import type { Agent, Phase, Project } from '../config/project.ts';
import type { CreateResult, Fence, SessionHost } from '../host/port.ts';
import { HEAL } from '../journal/agent-history.ts';
import type { Journal } from '../journal/store.ts';
import { type EnvironmentOffer, namedVariables, offerEnvironment } from '../panes/environment-offer.ts';
import { preparePane } from '../panes/prepare.ts';

export interface StartRequest {
  readonly project: Project;
  readonly agent: Agent;
  /** The open phase, for a loop. */
  readonly phase: Phase | null;
  readonly base: string | null;
  readonly why: string;
  /** A conversation to go on with; null: a new one. */
  readonly conversation: string | null;
  readonly fence: Fence | null;
}

export interface Started {
  readonly spawn: string;
  readonly result: CreateResult;
}

/**
 * Starts an agent in a new session. The start is journalled first: a session without a fact would belong to no agent, while a fact without a session is
 * a death that the watchdog sees.
 */
export async function startAgent(request: StartRequest, host: SessionHost, journal: Journal): Promise<Started> {
  const { agent } = request;
  const offer = await offerEnvironment(namedVariables(agent.name, agent.env, process.env));
  try {
    return await startWith(request, offer, host, journal);
  } finally {
    offer.close();
  }
}

async function startWith(
  request: StartRequest,
  offer: EnvironmentOffer,
  host: SessionHost,
  journal: Journal,
): Promise<Started> {
  const { project, agent, phase, fence } = request;
  const spawn = randomUUID();
  const prepared = await preparePane(request, { spawn, fetch: offer.script });
  await journal.append({
    type: 'agent.started',
    agent: agent.name,
    spawn,
    session: agent.session,
    kind: agent.kind,
    why: request.why,
    backend: agent.backend,
    model: prepared.model,
    phase: agent.kind === 'loop' ? (phase?.id ?? null) : null,
    conversation: prepared.conversation,
    resumed: prepared.resumed,
    settings: settingsDigest(project, agent, phase),
  });
  const result = await host.create({
    name: agent.session,
    project: project.id,
    spawn,
    cwd: project.dir,
    argv: ['/bin/sh', prepared.script],
    fence,
  });
  if (result.kind === 'done') await offer.settled();
  else
    await journal.append({
      type: 'agent.stopped',
      agent: agent.name,
      spawn,
      why: `${HEAL}: not started, ${whyNot(result)}`,
    });
  return { spawn, result };
}

function whyNot(result: CreateResult): string {
  switch (result.kind) {
    case 'taken':
      return 'a session of its name exists';
    case 'refused':
      return 'this watchdog was replaced';
    case 'unknown':
      return result.why;
    case 'done':
      return 'started';
    default:
      return result satisfies never;
  }
}

/** What an agent is started with, as a digest: `up` compares it with what runs. */
export function settingsDigest(project: Project, agent: Agent, phase: Phase | null): string {
  const { name: _name, watch: _watch, enabled: _enabled, ...started } = agent;
  return sha256(canonicalJson({ ...started, model: agentModel(project, agent, phase)?.name ?? null }));
}

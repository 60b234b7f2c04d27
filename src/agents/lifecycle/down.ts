import { SeatrialError } from '../../kernel/errors.ts';
import { type Agent, agentNamed, WATCHDOG, watchdogSession } from '../config/project.ts';
import type { SessionFacts } from '../host/port.ts';
import { historyOf, type Operation, sessionsOf } from './operate.ts';

export interface DownResult {
  readonly stopped: readonly string[];
  /** Sessions under names of this project that belong to another one. */
  readonly foreign: readonly string[];
}

/** Stops agents, and without names everything of this project, the watchdog first. They are not healed until `up`. */
export async function down(operation: Operation, names: readonly string[]): Promise<DownResult> {
  const { project, host, journal } = operation;
  const agents = names.length === 0 ? project.agents : names.filter((name) => name !== WATCHDOG).map(named(operation));
  const sessions = await sessionsOf(operation);
  const stopped: string[] = [];
  const foreign: string[] = [];
  const end = async (name: string, session: SessionFacts | undefined): Promise<boolean> => {
    if (session === undefined) return false;
    if (session.project !== project.id) {
      foreign.push(session.name);
      return false;
    }
    const result = await host.end(session.name, { project: project.id, spawn: session.spawn, fence: null });
    if (result.kind === 'unknown')
      throw new SeatrialError('blocked', `${name} may still run: tmux did not answer: ${result.why}`);
    stopped.push(name);
    return true;
  };
  await journal.append(
    ...agents.map(({ name }) => ({ type: 'agent.wanted', agent: name, wanted: 'down', by: 'down' }) as const),
  );
  if (names.length === 0 || names.includes(WATCHDOG)) {
    if (await end(WATCHDOG, sessions.get(watchdogSession(project))))
      await journal.append({ type: 'watchdog.stopped', why: 'down' });
  }
  const history = historyOf(operation);
  for (const agent of agents) {
    await end(agent.name, sessions.get(agent.session));
    const current = history.agents.get(agent.name)?.current ?? null;
    if (current !== null && current.end === null && !foreign.includes(agent.session))
      await journal.append({ type: 'agent.stopped', agent: agent.name, spawn: current.started.spawn, why: 'down' });
  }
  return { stopped, foreign };
}

export const named =
  ({ project }: Operation) =>
  (name: string): Agent => {
    const agent = agentNamed(project, name);
    if (agent !== null) return agent;
    const known = project.agents.map((one) => one.name).join(', ');
    throw new SeatrialError('usage', `there is no agent ${JSON.stringify(name)}; the agents are ${known}`);
  };

import { chmodSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { type Agent, type Phase, type Project, WATCHDOG, watchdogSession } from '../config/project.ts';
import type { SessionFacts } from '../host/port.ts';
import { foldJournal, type ProjectHistory } from '../journal/fold.ts';
import { baseFault } from '../phases/base-fault.ts';
import { beginPhase } from '../phases/begin.ts';
import { checkPhasesUnchanged } from '../phases/run.ts';
import { settleIndex } from '../phases/settle-index.ts';
import { named } from './down.ts';
import { programScript } from './environment.ts';
import { historyOf, type Operation, sessionsOf } from './operate.ts';
import { preflight, type PreflightChecks } from './preflight.ts';
import { settingsDigest, startAgent } from './start.ts';
import { endHangingWatchdog, ensureWatchdog, type WatchdogStart } from './watchdog-session.ts';

export interface UpRequest {
  /** Empty: every enabled agent but tasks. */
  readonly names: readonly string[];
  /** `resume`: go on with phase and conversations. `fresh`: with the phase only. Null: only from the first phase. */
  readonly mode: 'resume' | 'fresh' | null;
  readonly checks: PreflightChecks;
}

export interface UpResult {
  readonly started: readonly string[];
  readonly running: readonly string[];
  /** Running with other settings than the file has now. */
  readonly differing: readonly string[];
  readonly warnings: readonly string[];
  readonly watchdog: WatchdogStart;
}

/** What `up` would do, or does. */
export interface UpPlan {
  readonly agents: readonly Agent[];
  readonly index: number;
  readonly phase: Phase | null;
  readonly sessions: ReadonlyMap<string, SessionFacts>;
  readonly warnings: readonly string[];
}

/** Starts what is not running, then the watchdog. Stops nothing. */
export async function up(operation: Operation, request: UpRequest): Promise<UpResult> {
  const { project, host, journal } = operation;
  const plan = await planUp(operation, request, 'its tests run');
  const { agents, phase, sessions } = plan;
  writeProgramScript(project);
  // First of all: it may have been stopped while it held the lock of the journal.
  await endHangingWatchdog(operation, sessions);
  let history = historyOf(operation);
  if (phase !== null && agents.some(({ kind }) => kind === 'loop')) {
    if ((history.phases.get(phase.id)?.began ?? null) === null)
      await beginPhase(project, phase, plan.index, history, journal);
    history = foldJournal(journal.read());
  }
  const wanted = agents.filter(({ name }) => history.agents.get(name)?.wanted !== 'up' || request.names.includes(name));
  await journal.append(
    ...wanted.map(({ name }) => ({ type: 'agent.wanted', agent: name, wanted: 'up', by: 'up' }) as const),
  );
  const started: string[] = [];
  for (const agent of agents) {
    const session = sessions.get(agent.session);
    if (session !== undefined && session.dead === null) continue;
    if (agent.kind === 'loop' && phase === null) continue;
    if (session !== undefined) await host.end(agent.session, { project: project.id, spawn: null, fence: null });
    const base = phase === null ? null : (history.phases.get(phase.id)?.began?.base ?? null);
    const conversation = request.mode === 'resume' ? conversationOf(history, agent, phase) : null;
    const { result } = await startAgent(
      { project, agent, phase, base, why: 'up', conversation, fence: null },
      host,
      journal,
    );
    if (result.kind !== 'done')
      throw new SeatrialError(
        'blocked',
        `${agent.name} could not be started: ${result.kind === 'unknown' ? result.why : 'a session of its name appeared'}`,
      );
    started.push(agent.name);
  }
  const watchdog = await ensureWatchdog(operation, sessions);
  const running = agents.filter(({ name }) => !started.includes(name)).map(({ name }) => name);
  const differing = agents
    .filter(({ name }) => running.includes(name))
    .filter((agent) => {
      const current = history.agents.get(agent.name)?.current;
      return (
        current !== null && current !== undefined && current.started.settings !== settingsDigest(project, agent, phase)
      );
    })
    .map(({ name }) => name);
  return { started, running, differing, warnings: plan.warnings, watchdog };
}

/** Throws with everything that stands against it. Starts and writes nothing. */
export async function planUp(
  operation: Operation,
  { names, mode, checks }: UpRequest,
  base: 'its tests run' | 'not looked at' = 'not looked at',
): Promise<UpPlan> {
  const { project, env } = operation;
  const agents = chosen(operation, names);
  const history = historyOf(operation);
  const index = settleIndex(project, history);
  checkPhasesUnchanged(project, index, history);
  const phase = project.phases[index] ?? null;
  const sessions = await sessionsOf(operation);
  refuseForeign(project, sessions);
  refuseSilentResume(project, sessions, index, mode, agents);
  const { faults: found, warnings } = preflight(project, agents, phase, env, checks);
  const begins = phase !== null && (history.phases.get(phase.id)?.began ?? null) === null;
  const proves = base === 'its tests run' && begins && agents.some(({ kind }) => kind === 'loop');
  const unproven = proves && found.length === 0 ? await baseFault(project, phase, checks.tell) : null;
  const faults = unproven === null ? found : [unproven];
  if (faults.length > 0)
    throw new SeatrialError('blocked', `nothing was started:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return { agents, index, phase, sessions, warnings };
}

function chosen(operation: Operation, names: readonly string[]): readonly Agent[] {
  if (names.length === 0) return operation.project.agents.filter(({ enabled, kind }) => enabled && kind !== 'task');
  return names.filter((name) => name !== WATCHDOG).map(named(operation));
}

/** A staged copy must not touch what the live project runs under the same names. */
function refuseForeign(project: Project, sessions: ReadonlyMap<string, SessionFacts>): void {
  const names = [...project.agents.map(({ session }) => session), watchdogSession(project)];
  const foreign = names.filter((name) => {
    const session = sessions.get(name);
    return session !== undefined && session.project !== project.id;
  });
  if (foreign.length === 0) return;
  throw new SeatrialError(
    'blocked',
    `nothing was started: ${foreign.join(', ')} ${foreign.length === 1 ? 'is a session' : 'are sessions'} of another project; stop ${foreign.length === 1 ? 'it' : 'them'} there, or choose another session_prefix`,
  );
}

function refuseSilentResume(
  project: Project,
  sessions: ReadonlyMap<string, SessionFacts>,
  index: number,
  mode: UpRequest['mode'],
  agents: readonly Agent[],
): void {
  const loops = agents.filter(({ kind }) => kind === 'loop');
  const alive = project.agents.some(({ kind, session }) => kind === 'loop' && sessions.get(session)?.dead === null);
  if (index === 0 || mode !== null || alive || loops.length === 0) return;
  const where = project.phases[index]?.id ?? 'the end of all phases';
  throw new SeatrialError(
    'blocked',
    `nothing was started: the project is at ${where}; go on with \`seatrial up --resume\` (or RESUME_PHASE=1), or choose a phase with \`seatrial phase set <id>\``,
  );
}

function conversationOf(history: ProjectHistory, agent: Agent, phase: Phase | null): string | null {
  const current = history.agents.get(agent.name)?.current ?? null;
  if (current === null || (agent.kind === 'loop' && current.started.phase !== phase?.id)) return null;
  return current.conversation;
}

function writeProgramScript(project: Project): void {
  const script = programScript(project);
  if (script === null) return;
  makeDirs(dirname(script.path));
  writeFileSync(script.path, script.text);
  chmodSync(script.path, 0o755);
}

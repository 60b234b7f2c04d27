import { existsSync } from 'node:fs';
import { runTool } from '../../confine/processes/spawn.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { type Agent, BUILDER_ROLE } from '../config/project.ts';
import { historyOf, type Operation, sessionsOf } from '../lifecycle/operate.ts';
import { ensureClone, headOfClone } from '../protocol/clones.ts';
import { giveBase } from '../protocol/give-base.ts';
import { cloneOf } from '../protocol/paths.ts';
import { settleIndex } from '../phases/settle-index.ts';
import { type Archive, archiveNamed, moveFromArchive, moveToArchive } from './store.ts';

/** Sets the clone of a stopped agent aside and gives it a new one, with the commit that the open phase began with. */
export async function keepClone(operation: Operation, agent: Agent, why: string): Promise<Archive> {
  const { project } = operation;
  if (!existsSync(cloneOf(project, agent)))
    throw new SeatrialError('usage', `${agent.name} has no clone in ${project.logDir}`);
  const archive = await setAside(operation, agent, why);
  await ensureClone(project, agent);
  await giveOpenBase(operation, agent, archive.content);
  return archive;
}

/** The clone that stands there now is set aside, not replaced. Returns what was set aside. */
export async function restoreClone(operation: Operation, id: string): Promise<Archive | null> {
  const { project, journal } = operation;
  const archive = archiveNamed(project, id);
  if (archive.agent === null)
    throw new SeatrialError('usage', `${archive.id} holds protocol files of earlier phases; copy them with --to <dir>`);
  const agent = project.agents.find(({ name }) => name === archive.agent);
  if (agent === undefined)
    throw new SeatrialError('usage', `there is no agent ${archive.agent} any more; copy its clone with --to <dir>`);
  await refuseRunning(operation, agent);
  const target = cloneOf(project, agent);
  const aside = existsSync(target) ? await setAside(operation, agent, `before ${archive.id} was restored`) : null;
  moveFromArchive(archive, target);
  await journal.append({ type: 'archive.restored', agent: agent.name, archive: archive.id, to: target });
  return aside;
}

/** The archive stays. */
export async function copyArchive(operation: Operation, id: string, to: string): Promise<Archive> {
  const archive = archiveNamed(operation.project, id);
  if (existsSync(to)) throw new SeatrialError('usage', `${to} exists already; choose a new directory`);
  const copied = await runTool('cp', ['-a', '-T', '--', archive.content, to], { timeoutMs: 600_000 });
  if (copied.exitCode !== 0)
    throw new SeatrialError('blocked', `cannot copy ${archive.id} to ${to}: ${copied.stderr.trim()}`);
  return archive;
}

async function setAside(operation: Operation, agent: Agent, why: string): Promise<Archive> {
  const { project, clock, journal } = operation;
  await refuseRunning(operation, agent);
  const from = cloneOf(project, agent);
  const head = headOfClone(from);
  const archive = moveToArchive(project, clock.now(), { kind: 'clone', agent: agent.name, from, head, why });
  await journal.append({ type: 'archive.kept', agent: agent.name, archive: archive.id, why });
  return archive;
}

async function refuseRunning(operation: Operation, { name, session }: Agent): Promise<void> {
  const seen = (await sessionsOf(operation)).get(session);
  const wanted = historyOf(operation).agents.get(name)?.wanted;
  if ((seen !== undefined && seen.dead === null) || wanted === 'up')
    throw new SeatrialError('blocked', `${name} is not stopped; stop it with \`seatrial down ${name}\``);
}

/** Commits of earlier phases may be nowhere but in the old clone. */
async function giveOpenBase({ project, ...operation }: Operation, agent: Agent, from: string): Promise<void> {
  const history = historyOf({ project, ...operation });
  const phase = project.phases[settleIndex(project, history)];
  const base = phase === undefined ? null : (history.phases.get(phase.id)?.began?.base ?? null);
  if (base !== null && agent.role === BUILDER_ROLE) await giveBase(from, cloneOf(project, agent), base);
}

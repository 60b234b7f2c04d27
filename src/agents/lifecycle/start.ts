import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool } from '../../confine/processes/spawn.ts';
import { PANES } from '../../engines/pane/list.ts';
import type { PaneContext, PaneLaunch } from '../../engines/pane/definition.ts';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { agentModel } from '../config/models.ts';
import type { Agent, Phase, Project } from '../config/project.ts';
import type { CreateResult, Fence, SessionHost } from '../host/port.ts';
import { HEAL } from '../journal/agent-history.ts';
import type { Journal } from '../journal/store.ts';
import { renderKickoff } from '../kickoff/render.ts';
import { ensureClone } from '../protocol/clones.ts';
import { ensurePhaseFiles } from '../protocol/directories.ts';
import { agentDir, configDirOf, hooksDirOf, kickoffFileOf, workDirOf } from '../protocol/paths.ts';
import { paneEnvironment } from './environment.ts';
import { launchScript } from './script.ts';

/** Linux takes no longer argument; a longer kickoff is pasted. */
const MAX_ARGUMENT_BYTES = 120 * 1024;

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

/** Path of the FIFO that the pane of a spawn holds open. */
export const aliveFifo = (project: Project, agent: string, spawn: string): string =>
  join(agentDir(project, agent), `alive-${spawn}`);

/** Path of the file in which the pane of a spawn leaves its exit code. */
export const exitFileOf = (project: Project, agent: string, spawn: string): string =>
  join(agentDir(project, agent), `exit-${spawn}`);

/**
 * Starts an agent in a new session. The start is journalled first: a session without a fact would belong to no agent, while a fact without a session is
 * a death that the watchdog sees.
 */
export async function startAgent(request: StartRequest, host: SessionHost, journal: Journal): Promise<Started> {
  const { project, agent, phase, fence } = request;
  const spawn = randomUUID();
  const prepared = await prepare(request, spawn);
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
  if (result.kind !== 'done')
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

interface Prepared {
  readonly script: string;
  readonly model: string | null;
  readonly conversation: string | null;
  readonly resumed: boolean;
}

async function prepare({ project, agent, phase, base, conversation }: StartRequest, spawn: string): Promise<Prepared> {
  const dir = agentDir(project, agent.name);
  const context = {
    cwd: workDirOf(project, agent),
    model: agentModel(project, agent, phase)?.name ?? null,
    configDir: configDirOf(project, agent.name),
    hooksDir: hooksDirOf(project, agent.name),
    conversation: conversation ?? randomUUID(),
    args: agent.args,
    command: agent.command,
  };
  for (const path of [context.configDir, context.hooksDir]) makeDirs(path, 0o700);
  if (agent.role !== null && agent.dir === null) {
    await ensureClone(project, agent);
    // Left by a git that was killed; the clone is the agent's alone, and no process of it runs now.
    rmSync(join(context.cwd, '.git', 'index.lock'), { force: true });
  }
  if (phase !== null && agent.kind === 'loop') ensurePhaseFiles(project, phase);
  const kickoff = renderKickoff(project, agent, phase, base);
  const kickoffFile = kickoff === null ? null : kickoffFileOf(project, agent);
  if (kickoffFile !== null) writeWhole(kickoffFile, kickoff ?? '');
  const { launch, resumed } = launchOf(agent, context, conversation !== null);
  for (const [name, content] of Object.entries(launch.files)) writeMissing(join(context.configDir, name), content);
  const alive = await makeFifo(project, agent, spawn);
  const script = join(dir, 'launch.sh');
  const tooLong = kickoff !== null && Buffer.byteLength(kickoff) > MAX_ARGUMENT_BYTES;
  writeWhole(
    script,
    launchScript({
      cwd: context.cwd,
      argv: launch.argv,
      env: { ...paneEnvironment({ project, agent, phase, base, env: process.env }), ...launch.env },
      alive,
      exitFile: exitFileOf(project, agent.name, spawn),
      kickoffFile: tooLong ? null : kickoffFile,
    }),
  );
  const keeps = agent.backend !== null && PANES.get(agent.backend)?.conversation === 'chosen';
  return { script, model: context.model, conversation: keeps ? context.conversation : conversation, resumed };
}

function launchOf(
  agent: Agent,
  context: PaneContext,
  wantsResume: boolean,
): { readonly launch: PaneLaunch; readonly resumed: boolean } {
  if (agent.backend === null)
    return { launch: { argv: ['/bin/sh', '-c', agent.command ?? ''], env: {}, files: {} }, resumed: false };
  const pane = PANES.get(agent.backend);
  if (pane === undefined) throw new SeatrialError('usage', `unknown backend ${agent.backend}`);
  const resumed = wantsResume ? pane.resume(context) : null;
  return { launch: resumed ?? pane.start(context), resumed: resumed !== null };
}

function writeMissing(path: string, content: string): void {
  makeDirs(dirname(path), 0o700);
  if (!existsSync(path)) writeFileSync(path, content, { mode: 0o600 });
}

/** One for each start: a late reader of an old one cannot mistake it. Those of earlier starts are removed. */
async function makeFifo(project: Project, agent: Agent, spawn: string): Promise<string> {
  const dir = agentDir(project, agent.name);
  for (const name of readdirSync(dir)) if (/^(alive|exit)-/.test(name)) rmSync(join(dir, name), { force: true });
  const path = aliveFifo(project, agent.name, spawn);
  const made = await runTool('mkfifo', ['-m', '600', path]);
  if (made.exitCode !== 0) throw new SeatrialError('blocked', `cannot create ${path}: ${made.stderr.trim()}`);
  return path;
}

/** What an agent is started with, as a digest: `up` compares it with what runs. */
export function settingsDigest(project: Project, agent: Agent, phase: Phase | null): string {
  const { name: _name, watch: _watch, enabled: _enabled, ...started } = agent;
  return sha256(canonicalJson({ ...started, model: agentModel(project, agent, phase)?.name ?? null }));
}

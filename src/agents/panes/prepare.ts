import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool } from '../../confine/processes/spawn.ts';
import { PANES } from '../../engines/pane/list.ts';
import type { PaneContext, PaneLaunch } from '../../engines/pane/definition.ts';
import { keyPaths } from '../../evidence/bundle/keys.ts';
import { makeDirs, writeSynced, writeWhole } from '../../evidence/storage/durable.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { agentModel } from '../config/models.ts';
import { ADVERSARY_ROLE, BUILDER_ROLE, type Agent, type Phase, type Project } from '../config/project.ts';
import { renderKickoff } from '../kickoff/render.ts';
import { paneEnvironment } from '../lifecycle/environment.ts';
import { launchScript } from '../lifecycle/script.ts';
import { ensureClone } from '../protocol/clones.ts';
import { ensureBase } from '../protocol/give-base.ts';
import { ensurePhaseFiles, makeEmptyDir } from '../protocol/directories.ts';
import {
  agentDir,
  aliveFifo,
  configDirOf,
  exitFileOf,
  homeOf,
  hooksDirOf,
  journalViewOf,
  kickoffFileOf,
  phaseFiles,
  workDirOf,
} from '../protocol/paths.ts';
import { paneSandbox } from './sandbox.ts';

/** Linux takes no longer argument; a longer kickoff is pasted. */
const MAX_ARGUMENT_BYTES = 120 * 1024;

interface PaneRequest {
  readonly project: Project;
  readonly agent: Agent;
  readonly phase: Phase | null;
  readonly base: string | null;
  readonly conversation: string | null;
}

export interface PaneStart {
  readonly spawn: string;
  /** Lines of the script that fetch the variables of `env`. */
  readonly fetch: readonly string[];
}

interface PreparedPane {
  readonly script: string;
  readonly model: string | null;
  readonly conversation: string | null;
  readonly resumed: boolean;
}

/** Makes everything that the pane of one start needs: directories, clone, kickoff, configuration, and the script that it runs. */
export async function preparePane(request: PaneRequest, { spawn, fetch }: PaneStart): Promise<PreparedPane> {
  const { project, agent, phase, base, conversation } = request;
  const context = paneContext(project, agent, phase, conversation);
  await makePlace(project, agent, phase);
  if (agent.role !== null && agent.dir === null) removeStaleLock(context.cwd);
  if (agent.role === BUILDER_ROLE && agent.dir === null && base !== null) await ensureBase(project, agent, base);
  const kickoff = renderKickoff(project, agent, phase, base);
  const kickoffFile = kickoff === null ? null : kickoffFileOf(project, agent);
  if (kickoffFile !== null) writeWhole(kickoffFile, kickoff ?? '');
  // Events of earlier starts say nothing about this one.
  makeEmptyDir(context.hooksDir);
  const { launch, resumed } = launchOf(agent, context, conversation !== null);
  writeConfiguration(context.configDir, launch);
  const script = join(agentDir(project, agent.name), 'launch.sh');
  const tooLong = kickoff !== null && Buffer.byteLength(kickoff) > MAX_ARGUMENT_BYTES;
  writeWhole(
    script,
    launchScript({
      sandbox: paneSandbox(project, agent, phase, process.env),
      argv: launch.argv,
      env: { ...paneEnvironment({ project, agent, phase, base, env: process.env }), ...launch.env },
      fetch,
      alive: await makeFifo(project, agent, spawn),
      exitFile: exitFileOf(project, agent.name, spawn),
      kickoffFile: tooLong ? null : kickoffFile,
    }),
  );
  const keeps = agent.backend !== null && PANES.get(agent.backend)?.conversation === 'chosen';
  return { script, model: context.model, conversation: keeps ? context.conversation : conversation, resumed };
}

function paneContext(project: Project, agent: Agent, phase: Phase | null, conversation: string | null): PaneContext {
  return {
    cwd: workDirOf(project, agent),
    model: agentModel(project, agent, phase)?.name ?? null,
    configDir: configDirOf(project, agent.name),
    hooksDir: hooksDirOf(project, agent.name),
    conversation: conversation ?? randomUUID(),
    args: agent.args,
    command: agent.command,
  };
}

/** The program's own sign-in dialog, in the sandbox and with the configuration that its pane has. */
export async function prepareSignIn(
  project: Project,
  agent: Agent,
  command: readonly string[],
): Promise<SignInCommand> {
  const context = paneContext(project, agent, null, null);
  await makePlace(project, agent, null);
  const { launch } = launchOf(agent, context, false);
  writeConfiguration(context.configDir, launch);
  const setting = { project, agent, phase: null, base: null, env: process.env };
  return {
    argv: [...paneSandbox(project, agent, null, process.env), ...command],
    env: { ...paneEnvironment(setting), TERM: process.env['TERM'] ?? 'xterm-256color', ...launch.env },
  };
}

interface SignInCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function writeConfiguration(configDir: string, { files }: PaneLaunch): void {
  for (const [name, content] of Object.entries(files)) writeMissing(configDir, name, content);
}

/** Every directory that is mounted in its pane. */
async function makePlace(project: Project, agent: Agent, phase: Phase | null): Promise<void> {
  // Made by the first proof otherwise, and then seen by the panes that run already.
  if (agent.role !== null) makeDirs(dirname(keyPaths(process.env).privateKey), 0o700);
  for (const dir of [configDirOf, hooksDirOf, homeOf]) makeDirs(dir(project, agent.name), 0o700);
  // Whatever was decided before: the watchdog opens it again when it may be read.
  if (agent.role === ADVERSARY_ROLE) makeEmptyDir(journalViewOf(project, agent.name));
  if (phase !== null && agent.kind === 'loop') ensurePhaseFiles(project, phase);
  else if (agent.role !== null) for (const { id } of project.phases) makeDirs(phaseFiles(project, id).inboxDir);
  if (agent.role !== null && agent.dir === null) await ensureClone(project, agent);
}

/** Left by a git that was killed; the clone is the agent's alone, and no process of it runs now. */
function removeStaleLock(clone: string): void {
  const gitDir = join(clone, '.git');
  if (lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory() === true)
    rmSync(join(gitDir, 'index.lock'), { force: true });
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

/** The agent writes there too: a link of its making must not lead our write elsewhere. */
function writeMissing(configDir: string, name: string, content: string): void {
  const path = join(configDir, name);
  refuseLinks(configDir, path);
  makeDirs(dirname(path), 0o700);
  if (!existsSync(path)) writeSynced(path, Buffer.from(content), 'wx', 0o600);
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

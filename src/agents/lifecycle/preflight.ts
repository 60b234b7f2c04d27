import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SYSTEM_PATH } from '../../confine/bwrap/system-layout.ts';
import { terminalArgs, terminalUser } from '../../confine/bwrap/terminal.ts';
import { runToolNow } from '../../confine/processes/spawn.ts';
import { findProgram } from '../../confine/tools/find-program.ts';
import { PANES } from '../../engines/pane/list.ts';
import { messageOf } from '../../kernel/errors.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { isUrl } from '../../task/git/clone.ts';
import { findRepository, lookUpRef } from '../../task/repository-files.ts';
import { BUILDER_ROLE, type Agent, type Phase, type Project } from '../config/project.ts';
import { renderKickoff } from '../kickoff/render.ts';
import { missingVariables } from '../panes/environment-offer.ts';
import { signInWarnings } from '../panes/sign-in.ts';

/** What stands against a start (`faults`), and what a person should know (`warnings`). */
export interface Preflight {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** What only the caller can find out. */
export interface PreflightChecks {
  /** Whether the approval policy lets a proof land on a branch. May throw for settings that cannot be read. */
  mayLand(branch: string): boolean;
  /** Tells what takes a while. */
  tell(line: string): void;
}

const MIN_FREE_BYTES = 200 * 1024 * 1024;

/** Looks at everything that `up` needs, and lists all faults at once. Writes nothing. */
export function preflight(
  project: Project,
  agents: readonly Agent[],
  phase: Phase | null,
  env: NodeJS.ProcessEnv,
  checks: PreflightChecks,
): Preflight {
  const path = env['PATH'] ?? '';
  const faults: string[] = [];
  for (const tool of ['tmux', 'bwrap', 'git', 'flock', 'mkfifo'])
    if (findProgram(tool, `${path}:/usr/local/bin:/usr/bin:/bin`) === null) faults.push(`${tool} is not installed`);
  faults.push(...sandboxFaults(path));
  for (const agent of agents) faults.push(...agentFaults(project, agent, phase, env));
  if (agents.some(({ role, dir }) => role !== null && dir === null)) faults.push(...repoFaults(project));
  faults.push(...landingFaults(project, checks));
  faults.push(...diskFaults(project));
  const warnings = agents.flatMap((agent) => signInWarnings(project, agent));
  return { faults, warnings: [...warnings, ...(phase === null ? [] : planWarnings(project))] };
}

function agentFaults(project: Project, agent: Agent, phase: Phase | null, env: NodeJS.ProcessEnv): string[] {
  const path = env['PATH'] ?? '';
  const faults: string[] = [];
  const program = agent.backend === null ? null : (PANES.get(agent.backend)?.program ?? null);
  if (program !== null && findProgram(program, path) === null)
    faults.push(`${agent.name}: ${program} is not installed; \`seatrial doctor\` says how to install it`);
  const missing = missingVariables(agent.env, env);
  if (missing.length > 0) faults.push(`${agent.name}: the variables ${missing.join(', ')} of \`env\` are not set here`);
  if (agent.dir !== null && !existsSync(agent.dir)) faults.push(`${agent.name}: there is no directory ${agent.dir}`);
  else if (agent.dir !== null && agent.role !== null) faults.push(...dirFaults(project, agent.name, agent.dir));
  try {
    renderKickoff(project, agent, phase, null);
  } catch (error) {
    faults.push(`${agent.name}: ${messageOf(error)}`);
  }
  return faults;
}

/** Some machines forbid what a sandbox needs; every pane runs in one. */
function sandboxFaults(path: string): string[] {
  const bwrap = findProgram('bwrap', `${path}:${SYSTEM_PATH}`);
  if (bwrap === null) return [];
  const { exitCode, stderr } = runToolNow(bwrap, [
    ...terminalArgs({ rules: [{ path: '/', access: 'read' }], cwd: '/', user: terminalUser() }),
    '--',
    '/bin/true',
  ]);
  return exitCode === 0 ? [] : [`bwrap cannot make a sandbox on this machine: ${stderr.trim() || 'no reason given'}`];
}

/** An agent with a role writes in its directory, and must not write what decides about its work. */
function dirFaults({ dir, logDir, kickoffFile, rolesDir }: Project, name: string, own: string): string[] {
  const place = realpathSync(own);
  const kickoffDir = kickoffFile === null ? dir : dirname(kickoffFile);
  const foreign = [logDir, ...(rolesDir === null ? [] : [rolesDir]), ...(kickoffDir === dir ? [] : [kickoffDir])];
  const holds =
    place === dir ? 'agents.toml' : foreign.some((path) => isWithin(place, path)) ? "the project's own files" : null;
  return holds === null
    ? []
    : [
        `${name}: its \`dir\` ${own} holds ${holds}, which an agent with a role must not write; choose another directory`,
      ];
}

function repoFaults({ repo, agents }: Project): string[] {
  if (isUrl(repo)) return [];
  try {
    return lookUpRef(findRepository(repo), 'HEAD') === null
      ? [`${repo} has no commit yet, which the first phase would begin with; commit something there`]
      : [];
  } catch (error) {
    const who = agents.find(({ role }) => role === BUILDER_ROLE)?.name ?? 'an agent';
    return [`${who} needs a repository to work on: ${messageOf(error)}; set \`repo\` in agents.toml`];
  }
}

/** What keeps a proof from landing would show only after the work of a phase. */
function landingFaults({ repo, phases }: Project, { mayLand }: PreflightChecks): string[] {
  return phases.flatMap(({ id, proof }) => {
    const branch = proof?.land;
    if (branch === undefined) return [];
    if (isUrl(repo)) return [`phase ${id}: \`land\` needs a repository on this machine; set \`repo\` to a clone`];
    try {
      const isThere = lookUpRef(findRepository(repo), `refs/heads/${branch}`) !== null;
      return [
        ...(isThere ? [] : [`phase ${id}: ${repo} has no branch ${branch} to land on`]),
        ...(mayLand(branch)
          ? []
          : [
              `phase ${id}: the approval policy does not let a proof land on ${branch}; add \`"land ${branch}" = "grant"\` to [approvals] in seatrial.toml`,
            ]),
      ];
    } catch (error) {
      return [`phase ${id}: ${messageOf(error)}`];
    }
  });
}

function diskFaults({ logDir }: Project): string[] {
  let at = logDir;
  while (!existsSync(at)) at = dirname(at);
  const { bavail, bsize } = statfsSync(at);
  const free = bavail * bsize;
  return free < MIN_FREE_BYTES ? [`only ${Math.round(free / 1024 / 1024)} MB are free at ${at}`] : [];
}

function planWarnings({ dir, phases }: Project): string[] {
  return phases
    .filter(({ plan }) => !existsSync(resolve(dir, plan)))
    .map(({ id, plan }) => `the plan of phase ${id} is missing: ${resolve(dir, plan)}`);
}

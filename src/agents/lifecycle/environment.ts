import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { steeringVariables } from '../../confine/tools/tool-environment.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import type { Agent, Phase, Project } from '../config/project.ts';
import { homeOf, phaseFiles, stateDir } from '../protocol/paths.ts';

interface PaneSetting {
  readonly project: Project;
  readonly agent: Agent;
  readonly phase: Phase | null;
  readonly base: string | null;
  readonly env: NodeJS.ProcessEnv;
}

/** Of the caller's variables, those that every program in a pane needs. Values that may be secret never come this way. */
const PASSED = ['USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'];

/** What agents without a role get besides: they may use tmux, and keep their files where the user does. */
const PASSED_WITHOUT_ROLE = [
  'HOME',
  'SEATRIAL_TMUX_SOCKET',
  'TMUX_TMPDIR',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
];

/** Explicit, because a pane's own environment is that of whoever started the tmux server. */
export function paneEnvironment({ project, agent, phase, base, env }: PaneSetting): Record<string, string> {
  const names = agent.role === null ? [...PASSED, ...PASSED_WITHOUT_ROLE] : PASSED;
  const passed = names.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...(agent.role === null ? {} : homeVariables(project, agent, env)),
    TERM: 'tmux-256color',
    COLORTERM: 'truecolor',
    PATH: [programDir(project), env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter),
    SEATRIAL_PROJECT: project.dir,
    SEATRIAL_AGENT: agent.name,
    ...(agent.kind === 'persistent' ? { SEATRIAL_PROTOCOL: join(project.logDir, 'protocol') } : {}),
    ...(phase === null || agent.kind !== 'loop' ? {} : phaseVariables(project, agent, phase, base)),
  };
}

/** A home of its own, and where toolchains lie that are looked for in the user's. */
function homeVariables(project: Project, agent: Agent, env: NodeJS.ProcessEnv): Record<string, string> {
  const theirs = env['HOME'] ?? homedir();
  const found = Object.entries(TOOLCHAINS).flatMap(([name, dir]) =>
    existsSync(join(theirs, dir)) ? [[name, join(theirs, dir)] as const] : [],
  );
  const chosen = Object.entries(steeringVariables(env)).filter(([name]) => Object.hasOwn(TOOLCHAINS, name));
  return { ...Object.fromEntries([...found, ...chosen]), HOME: homeOf(project, agent.name) };
}

/** Read by shims; none of them is written to by a build. */
const TOOLCHAINS: Readonly<Record<string, string>> = {
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  NVM_DIR: '.nvm',
  VOLTA_HOME: '.volta',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
};

function phaseVariables(project: Project, agent: Agent, phase: Phase, base: string | null): Record<string, string> {
  const files = phaseFiles(project, phase.id);
  const role = agent.role ?? agent.name;
  return {
    SEATRIAL_ROLE: role,
    SEATRIAL_PHASE: phase.id,
    SEATRIAL_PLAN: resolve(project.dir, phase.plan),
    SEATRIAL_STATUS: files.status,
    SEATRIAL_REVIEW: files.review,
    SEATRIAL_JOURNAL: files.journal,
    SEATRIAL_INBOX: files.inbox(role),
    SEATRIAL_BASE: base ?? '',
  };
}

/** A directory with this very Seatrial as `seatrial`: the clone's root, or one made below the state directory by `ensureProgram`. */
function programDir(project: Project): string {
  return existsSync(join(packageRoot(), 'seatrial')) ? packageRoot() : join(stateDir(project), 'bin');
}

/** This very Seatrial as a command, without the launcher. */
export const ownCommand = (): readonly string[] => [process.execPath, join(packageRoot(), 'dist', 'seatrial.js')];

/** Where a shell script for `programDir` belongs, if Seatrial was installed as a package. Null: it has a launcher. */
export function programScript(project: Project): { readonly path: string; readonly text: string } | null {
  const dir = programDir(project);
  if (dir === packageRoot()) return null;
  const [node = '', script = ''] = ownCommand();
  return {
    path: join(dir, 'seatrial'),
    text: `#!/bin/sh\nPATH="$PATH:${dirname(node)}" exec '${node}' '${script}' "$@"\n`,
  };
}

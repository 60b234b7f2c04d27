import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PANES } from '../../engines/pane/list.ts';
import type { Agent, Project } from '../config/project.ts';
import { configDirOf, workDirOf } from '../protocol/paths.ts';

/** What a person should know of an agent's program before it starts: it would stop at a question that only a person can answer. */
export function signInWarnings(project: Project, agent: Agent): readonly string[] {
  const pane = agent.backend === null ? undefined : PANES.get(agent.backend);
  if (pane === undefined || pane.signIn === null) return [];
  const configDir = configDirOf(project, agent.name);
  const cwd = workDirOf(project, agent);
  return [
    ...(isSignedIn(project, agent)
      ? []
      : [`${agent.name}: ${pane.program} is not signed in; sign it in with \`seatrial login ${agent.name}\``]),
    ...(pane.trusts?.(configDir, cwd) === false
      ? [
          `${agent.name}: ${pane.program} was not told to trust ${cwd} and will ask; answer in \`seatrial attach ${agent.name}\``,
        ]
      : []),
  ];
}

/** By a sign-in of its own, or by variables that agents.toml names. Only existence is looked at. */
export function isSignedIn(project: Project, { name, backend, env }: Agent): boolean {
  const signIn = backend === null ? null : (PANES.get(backend)?.signIn ?? null);
  return signIn === null || env.length > 0 || existsSync(join(configDirOf(project, name), signIn.file));
}

import { isAbsolute, resolve } from 'node:path';
import type { PathRule } from '../../confine/bwrap/terminal.ts';
import { isUrl } from '../../task/git/clone.ts';
import { ADVERSARY_ROLE, type Agent, BUILDER_ROLE, type Phase, type Project } from '../config/project.ts';
import { configDirOf, homeOf, hooksDirOf, journalViewOf, phaseFiles, stateDir, workDirOf } from '../protocol/paths.ts';

/**
 * What an agent with a role may see and write. The machine is as usual, but read-only; of the project's own files it writes its clone, its home
 * and what the protocol gives to its role. Pure: paths are real, and what does not exist is left out by the caller.
 */
export function paneRules(
  project: Project,
  agent: Agent,
  phase: Phase | null,
  machine: readonly PathRule[],
): readonly PathRule[] {
  const write = (path: string): PathRule => ({ path, access: 'write' });
  return [
    { path: '/', access: 'read' },
    ...machine,
    { path: project.dir, access: 'read' },
    ...(isUrl(project.repo) || !isAbsolute(project.repo) ? [] : [{ path: project.repo, access: 'read' } as const]),
    { path: project.logDir, access: 'hidden' },
    { path: stateDir(project), access: 'read' },
    ...protocolRules(project, agent, phase),
    ...[configDirOf, hooksDirOf, homeOf].map((dir) => write(dir(project, agent.name))),
    write(workDirOf(project, agent)),
    // Last: whatever an agent's directory contains, these are not its own.
    ...promptDirs(project).map((path): PathRule => ({ path, access: 'read' })),
    ...sealedDirs(project).map((path): PathRule => ({ path, access: 'hidden' })),
  ];
}

/** A loop works in one phase; any other agent with a role gets the inboxes of all. */
function protocolRules(project: Project, agent: Agent, phase: Phase | null): readonly PathRule[] {
  if (agent.kind !== 'loop' || phase === null)
    return project.phases.map(({ id }) => ({ path: phaseFiles(project, id).inboxDir, access: 'write' }));
  const files = phaseFiles(project, phase.id);
  return [
    { path: files.root, access: 'read' },
    { path: files.inboxDir, access: 'write' },
    { path: files.ownDir(agent.role ?? agent.name), access: 'write' },
    journalRule(project, agent, files.journalDir),
  ];
}

/** The builder's alone. The adversary has a view of its own there, which is empty until its verdict is journalled. */
function journalRule(project: Project, agent: Agent, path: string): PathRule {
  if (agent.role === BUILDER_ROLE) return { path, access: 'write' };
  if (agent.role === ADVERSARY_ROLE) return { path, access: 'read', source: journalViewOf(project, agent.name) };
  return { path, access: 'hidden' };
}

function promptDirs({ dir, kickoffFile, rolesDir }: Project): readonly string[] {
  const dirs = [
    ...(kickoffFile === null ? [] : [resolve(kickoffFile, '..')]),
    ...(rolesDir === null ? [] : [rolesDir]),
  ];
  return dirs.filter((path) => path !== dir);
}

/** Tests that judge a claim, and that its builder must not read. */
function sealedDirs({ dir, phases }: Project): readonly string[] {
  return phases.flatMap(({ proof }) => (proof?.sealed === undefined ? [] : [resolve(dir, proof.sealed)]));
}

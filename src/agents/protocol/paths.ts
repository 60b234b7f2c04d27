import { join } from 'node:path';
import type { Agent, Project } from '../config/project.ts';

/** Where a project keeps what. Nothing here is in git. */
export const stateDir = ({ logDir }: Project): string => join(logDir, 'state');
export const journalFile = (project: Project): string => join(stateDir(project), 'journal.jsonl');
export const phaseIndexFile = (project: Project): string => join(stateDir(project), 'phase-idx');
/** Beside `state/`, which panes may read: whatever changes it, no other file of the project does. */
export const checkpointFile = ({ logDir }: Pick<Project, 'logDir'>): string => join(logDir, 'checkpoint', 'status');
export const cloneOf = ({ logDir }: Project, { name }: Pick<Agent, 'name'>): string => join(logDir, 'clones', name);
export const archiveDir = ({ logDir }: Project): string => join(logDir, 'archive');
/** Logs that `seatrial logs clean` rotates, the watchdog's own among them. */
export const logsDir = ({ logDir }: Project): string => join(logDir, 'logs');
export const kickoffFileOf = ({ logDir }: Project, { session }: Pick<Agent, 'session'>): string =>
  join(logDir, `kickoff-${session}.txt`);

/** The agent's own: its program's configuration, hook events, launch script. */
export const agentDir = ({ logDir }: Project, name: string): string => join(logDir, 'agents', name);
export const configDirOf = (project: Project, name: string): string => join(agentDir(project, name), 'config');
/** HOME of an agent with a role. */
export const homeOf = (project: Project, name: string): string => join(agentDir(project, name), 'home');
/** What the adversary sees in place of the builder's journal. */
export const journalViewOf = (project: Project, name: string): string => join(agentDir(project, name), 'journal');
export const hooksDirOf = (project: Project, name: string): string => join(agentDir(project, name), 'hooks');

/** The FIFO that the pane of a spawn holds open. */
export const aliveFifo = (project: Project, agent: string, spawn: string): string =>
  join(agentDir(project, agent), `alive-${spawn}`);
/** Where the pane of a spawn leaves its exit code. */
export const exitFileOf = (project: Project, agent: string, spawn: string): string =>
  join(agentDir(project, agent), `exit-${spawn}`);

/** The protocol's files of one phase. Each directory is writable by its owner alone, the inbox by all. */
export interface PhaseFiles {
  readonly root: string;
  readonly status: string;
  readonly review: string;
  readonly journal: string;
  readonly journalDir: string;
  readonly inboxDir: string;
  inbox(role: string): string;
  /** The directory that a role alone writes. */
  ownDir(role: string): string;
}

export function phaseFiles({ logDir }: Project, phaseId: string): PhaseFiles {
  const root = join(logDir, 'protocol', phaseId);
  return {
    root,
    status: join(root, 'builder', `STATUS-${phaseId}.md`),
    review: join(root, 'adversary', `REVIEW-${phaseId}.md`),
    journal: join(root, 'journal', `JOURNAL-${phaseId}.md`),
    journalDir: join(root, 'journal'),
    inboxDir: join(root, 'inbox'),
    inbox: (role) => join(root, 'inbox', `${role.toUpperCase()}-INBOX.md`),
    ownDir: (role) => join(root, role),
  };
}

/** Names of the inboxes of a phase: one for each role, and one for each persistent agent without a role. */
export function inboxOwners({ agents }: Pick<Project, 'agents'>): ReadonlySet<string> {
  return new Set(
    agents.flatMap(({ role, kind, name }) => (role !== null ? [role] : kind === 'persistent' ? [name] : [])),
  );
}

/** Where an agent works: its own directory, its clone if it has a role, else the project. */
export function workDirOf(project: Project, agent: Agent): string {
  if (agent.dir !== null) return agent.dir;
  return agent.role === null ? project.dir : cloneOf(project, agent);
}

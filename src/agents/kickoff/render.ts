import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { type Agent, type Phase, type Project } from '../config/project.ts';
import { phaseFiles, workDirOf } from '../protocol/paths.ts';
import { BUILT_IN_KICKOFF, BUILT_IN_ROLES } from './built-in.ts';
import { fillSlots } from './template.ts';

/** The text that an agent starts with; null: none. Reads files and writes none. */
export function renderKickoff(project: Project, agent: Agent, phase: Phase | null, base: string | null): string | null {
  if (agent.kind !== 'loop' || phase === null) return agent.prompt === null ? null : promptText(project, agent.prompt);
  const files = phaseFiles(project, phase.id);
  const role = agent.role ?? agent.name;
  const template = project.kickoffFile === null ? BUILT_IN_KICKOFF : readPrompt(project.kickoffFile, 'kickoff');
  return fillSlots(
    template,
    {
      phase_id: phase.id,
      plan: phase.plan,
      status: files.status,
      role: roleText(project, role),
      role_name: role,
      repo: workDirOf(project, agent),
      journal: files.journal,
      review: files.review,
      inbox: files.inbox(role),
      base: base ?? '',
    },
    project.kickoffFile ?? 'the built-in kickoff',
  );
}

function roleText({ rolesDir }: Project, role: string): string {
  if (rolesDir !== null) return readPrompt(join(rolesDir, `${role}.md`), `role ${role}`);
  return BUILT_IN_ROLES[role] ?? `Your role is ${role}.\n`;
}

/** A prompt is a file below the project, or the text itself. */
function promptText({ dir }: Project, prompt: string): string {
  const path = resolve(dir, prompt);
  return existsSync(path) ? readPrompt(path, 'prompt') : prompt;
}

function readPrompt(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SeatrialError('usage', `the text of the ${what} cannot be read: ${path} is missing or unreadable`, error);
  }
}

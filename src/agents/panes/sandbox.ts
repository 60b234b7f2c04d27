import { existsSync, realpathSync } from 'node:fs';
import { type PathRule, terminalArgs, terminalUser } from '../../confine/bwrap/terminal.ts';
import { installCommand } from '../../confine/install-command.ts';
import { findProgram } from '../../confine/tools/find-program.ts';
import { SYSTEM_PATH } from '../../confine/bwrap/system-layout.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Agent, Phase, Project } from '../config/project.ts';
import { workDirOf } from '../protocol/paths.ts';
import { machineRules } from './machine.ts';
import { paneRules } from './rules.ts';

/** The command that a pane's program is started through: bubblewrap, with what this agent may see and write. */
export function paneSandbox(
  project: Project,
  agent: Agent,
  phase: Phase | null,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const path = env['PATH'] ?? '';
  const bwrap = findProgram('bwrap', `${path}:${SYSTEM_PATH}`);
  if (bwrap === null)
    throw new SeatrialError('blocked', `bwrap is not installed; ${installCommand('bubblewrap', path)}`);
  const planned = plannedRules(project, agent, phase, env);
  const rules = planned?.flatMap(existing) ?? null;
  return [bwrap, ...terminalArgs({ rules, cwd: workDirOf(project, agent), user: terminalUser() }), '--'];
}

/** What an agent may see and write. Null: everything, as it plays no role. */
export function plannedRules(
  project: Project,
  agent: Agent,
  phase: Phase | null,
  env: NodeJS.ProcessEnv,
): readonly PathRule[] | null {
  return agent.role === null ? null : paneRules(project, agent, phase, machineRules(project, env));
}

/** What would be shown instead of something else and is missing leaves that hidden. */
function existing(rule: PathRule): readonly PathRule[] {
  if (!existsSync(rule.path)) return [];
  const path = realpathSync(rule.path);
  return rule.source === undefined || existsSync(rule.source) ? [{ ...rule, path }] : [{ path, access: 'hidden' }];
}

import { join } from 'node:path';
import * as z from 'zod/mini';
import { readIfThere } from '../pane/config-files.ts';
import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from '../pane/definition.ts';
import { CLAUDE_SCREENS } from './screens.ts';

/** Events that say whether a turn is going on. */
const HOOK_EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Notification', 'Stop'];

function launch(context: PaneContext, conversation: readonly string[]): PaneLaunch {
  const model = context.model === null ? [] : ['--model', context.model];
  return {
    argv: ['claude', ...conversation, ...model, ...context.args, KICKOFF_ARGUMENT],
    env: { CLAUDE_CONFIG_DIR: context.configDir, DISABLE_AUTOUPDATER: '1' },
    files: { '.claude.json': onboarding(context.cwd), 'settings.json': settings(context.hooksDir) },
  };
}

/** Answers to the questions of a first start; the sign-in is left to `seatrial login`. */
function onboarding(cwd: string): string {
  const projects = { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
  return `${JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark', projects }, null, 2)}\n`;
}

/** Each event becomes a file of its own, complete when it appears. */
function settings(hooksDir: string): string {
  const quoted = `'${hooksDir.replaceAll("'", String.raw`'\''`)}'`;
  const command = `d=${quoted}; f=$(mktemp "$d/.event.XXXXXX") && cat >"$f" && mv "$f" "$d/$(date +%s%N).json"`;
  const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [{ type: 'command', command }] }]]));
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}

export const claudePane: PaneDefinition = {
  program: 'claude',
  asksModel: true,
  start: (context) => launch(context, ['--session-id', context.conversation]),
  resume: (context) => launch(context, ['--resume', context.conversation]),
  kickoff: 'argument',
  conversation: 'chosen',
  authority: 'hooks',
  screens: CLAUDE_SCREENS,
  readHook: readClaudeHook,
  trusts: (configDir, cwd) => isTrusted(readIfThere(join(configDir, '.claude.json')), cwd),
  signIn: {
    command: ['claude', '/login'],
    file: '.credentials.json',
    usual: '.claude/.credentials.json',
  },
};

const trusted = z.object({ projects: z.record(z.string(), z.object({ hasTrustDialogAccepted: z.literal(true) })) });

function isTrusted(text: string | null, cwd: string): boolean {
  if (text === null) return true;
  try {
    const { projects } = z.object({ projects: z.record(z.string(), z.unknown()) }).parse(JSON.parse(text));
    return trusted.safeParse({ projects: { [cwd]: projects[cwd] } }).success;
  } catch {
    return false;
  }
}

function readClaudeHook(text: string): 'working' | 'idle' | 'permission' | null {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof event !== 'object' || event === null || !('hook_event_name' in event)) return null;
  switch (event.hook_event_name) {
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PostToolUse':
      return 'working';
    case 'Stop':
      return 'idle';
    case 'Notification':
      return 'message' in event && /permission/i.test(String(event.message)) ? 'permission' : 'idle';
    default:
      return null;
  }
}

import { join } from 'node:path';
import { newestNamed } from '../pane/config-files.ts';
import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from '../pane/definition.ts';
import { PI_SCREENS } from './screens.ts';

function launch(context: PaneContext, conversation: readonly string[]): PaneLaunch {
  return {
    argv: ['pi', ...conversation, ...modelFlags(context.model), ...context.args, KICKOFF_ARGUMENT],
    env: { PI_CODING_AGENT_DIR: context.configDir, PI_TELEMETRY: '0' },
    files: {},
  };
}

/** `provider/model`, or a model that Pi finds by itself. */
function modelFlags(model: string | null): readonly string[] {
  if (model === null) return [];
  const at = model.indexOf('/');
  return at < 0 ? ['--model', model] : ['--provider', model.slice(0, at), '--model', model.slice(at + 1)];
}

export const piPane: PaneDefinition = {
  program: 'pi',
  asksModel: true,
  start: (context) => launch(context, []),
  resume: (context) => launch(context, ['--session', context.conversation]),
  kickoff: 'argument',
  conversation: 'found',
  findConversation: (configDir, since) => newestNamed(join(configDir, 'sessions'), /_([0-9a-f-]{8,})\.jsonl$/, since),
  authority: 'screen',
  screens: PI_SCREENS,
  signIn: {
    command: ['pi', '/login'],
    file: 'auth.json',
    usual: '.pi/agent/auth.json',
  },
};

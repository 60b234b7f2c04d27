import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from '../pane/definition.ts';
import { OPENCODE_SCREENS } from './screens.ts';

/** Each agent has data of its own, so the last conversation there is always its own. */
const LAST = 'last';

function launch(context: PaneContext, conversation: readonly string[], kickoff: readonly string[]): PaneLaunch {
  const model = context.model === null ? [] : ['--model', context.model];
  return {
    argv: ['opencode', ...conversation, ...model, ...context.args, ...kickoff],
    env: {
      XDG_CONFIG_HOME: join(context.configDir, 'config'),
      XDG_DATA_HOME: join(context.configDir, 'data'),
      XDG_STATE_HOME: join(context.configDir, 'state'),
      XDG_CACHE_HOME: join(context.configDir, 'cache'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    files: {},
  };
}

export const opencodePane: PaneDefinition = {
  program: 'opencode',
  asksModel: true,
  start: (context) => launch(context, [], ['--prompt', KICKOFF_ARGUMENT]),
  // With --continue it ignores --prompt.
  resume: (context) => launch(context, ['--continue'], []),
  kickoff: 'argument',
  resumedKickoff: 'paste',
  conversation: 'found',
  findConversation: (configDir) => (existsSync(join(configDir, 'data', 'opencode')) ? LAST : null),
  authority: 'screen',
  screens: OPENCODE_SCREENS,
  signIn: {
    command: ['opencode', 'auth', 'login'],
    file: 'data/opencode/auth.json',
    usual: '.local/share/opencode/auth.json',
  },
};

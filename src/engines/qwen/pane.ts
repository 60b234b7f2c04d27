import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from '../pane/definition.ts';
import { QWEN_SCREENS } from './screens.ts';

function launch(context: PaneContext, conversation: readonly string[]): PaneLaunch {
  const model = context.model === null ? [] : ['--model', context.model];
  const settings = { general: { disableAutoUpdate: true }, privacy: { usageStatisticsEnabled: false } };
  return {
    argv: ['qwen', ...conversation, ...model, ...context.args, '-i', KICKOFF_ARGUMENT],
    env: { QWEN_HOME: context.configDir },
    files: { 'settings.json': `${JSON.stringify(settings, null, 2)}\n` },
  };
}

export const qwenPane: PaneDefinition = {
  program: 'qwen',
  asksModel: true,
  start: (context) => launch(context, ['--session-id', context.conversation]),
  resume: (context) => launch(context, ['--resume', context.conversation]),
  kickoff: 'argument',
  conversation: 'chosen',
  authority: 'screen',
  screens: QWEN_SCREENS,
  signIn: {
    command: ['qwen'],
    file: 'oauth_creds.json',
    usual: '.qwen/oauth_creds.json',
  },
};

import { KICKOFF_ARGUMENT, type PaneContext, type PaneDefinition, type PaneLaunch } from '../pane/definition.ts';
import { GEMINI_SCREENS } from './screens.ts';

function launch(context: PaneContext, conversation: readonly string[]): PaneLaunch {
  const model = context.model === null ? [] : ['--model', context.model];
  const settings = {
    general: { disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    security: { folderTrust: { enabled: false } },
  };
  return {
    argv: ['gemini', ...conversation, ...model, ...context.args, '-i', KICKOFF_ARGUMENT],
    env: { GEMINI_CLI_HOME: context.configDir },
    files: { '.gemini/settings.json': `${JSON.stringify(settings, null, 2)}\n` },
  };
}

export const geminiPane: PaneDefinition = {
  program: 'gemini',
  asksModel: true,
  start: (context) => launch(context, ['--session-id', context.conversation]),
  resume: (context) => launch(context, ['--resume', context.conversation]),
  kickoff: 'argument',
  conversation: 'chosen',
  authority: 'screen',
  screens: GEMINI_SCREENS,
  signIn: {
    command: ['gemini'],
    file: '.gemini/oauth_creds.json',
    usual: '.gemini/oauth_creds.json',
  },
};

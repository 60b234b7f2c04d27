import { sessionFlagsPane } from '../pane/session-flags.ts';
import { QWEN_SCREENS } from './screens.ts';

export const qwenPane = sessionFlagsPane({
  program: 'qwen',
  homeVariable: 'QWEN_HOME',
  settingsFile: 'settings.json',
  settings: { general: { disableAutoUpdate: true }, privacy: { usageStatisticsEnabled: false } },
  screens: QWEN_SCREENS,
  signIn: {
    command: ['qwen'],
    file: 'oauth_creds.json',
    usual: '.qwen/oauth_creds.json',
  },
});

import { sessionFlagsPane } from '../pane/session-flags.ts';
import { GEMINI_SCREENS } from './screens.ts';

export const geminiPane = sessionFlagsPane({
  program: 'gemini',
  homeVariable: 'GEMINI_CLI_HOME',
  settingsFile: '.gemini/settings.json',
  settings: {
    general: { disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    security: { folderTrust: { enabled: false } },
  },
  screens: GEMINI_SCREENS,
  signIn: {
    command: ['gemini'],
    file: '.gemini/oauth_creds.json',
    usual: '.gemini/oauth_creds.json',
  },
});

import { sessionFlagsPane } from '../pane/session-flags.ts';
import { QWEN_SCREENS } from './screens.ts';

export const qwenPane = sessionFlagsPane({
  program: 'qwen',
  homeVariable: 'QWEN_HOME',
  settingsFile: 'settings.json',
  settings: {
    general: { disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    // Otherwise it waits for ten minutes behind its spinner before it shows that it was refused with 429. Short refusals are tried again all the same.
    model: { generationConfig: { maxRetries: 0 } },
  },
  screens: QWEN_SCREENS,
  signIn: {
    command: ['qwen'],
    file: 'oauth_creds.json',
    usual: '.qwen/oauth_creds.json',
  },
});

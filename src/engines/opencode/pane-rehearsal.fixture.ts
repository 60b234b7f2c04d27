import { CHAT_QUOTA, type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { agent } from './rehearsal.fixture.ts';

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: `rehearsed/${agent.model}`,
  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }),
  files: (origin) => ({
    'config/opencode/opencode.json': JSON.stringify({
      permission: { edit: 'ask', bash: 'ask' },
      provider: {
        rehearsed: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${origin}/v1`, apiKey: REHEARSED_KEY },
          models: { [agent.model]: { limit: { context: 100_000, output: 8000 } } },
        },
      },
    }),
  }),
  asked: agent.shell('touch asked.txt'),
  limit: CHAT_QUOTA,
};

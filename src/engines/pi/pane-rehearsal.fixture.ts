import { CHAT_QUOTA, type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { agent } from './rehearsal.fixture.ts';

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: `rehearsed/${agent.model}`,
  env: () => ({ PI_OFFLINE: '1' }),
  files: (origin) => ({
    'models.json': JSON.stringify({
      providers: {
        rehearsed: {
          baseUrl: `${origin}/v1`,
          api: 'openai-completions',
          apiKey: REHEARSED_KEY,
          models: [{ id: agent.model, contextWindow: 100_000, maxTokens: 8000 }],
        },
      },
    }),
  }),
  asked: null,
  limit: CHAT_QUOTA,
};

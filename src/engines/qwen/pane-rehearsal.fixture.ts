import { CHAT_QUOTA, type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { agent } from './rehearsal.fixture.ts';

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: agent.model,
  env: (origin) => ({ OPENAI_API_KEY: REHEARSED_KEY, OPENAI_BASE_URL: `${origin}/v1`, OPENAI_MODEL: agent.model }),
  args: () => ['--auth-type', 'openai'],
  asked: agent.shell('touch asked.txt'),
  limit: CHAT_QUOTA,
};

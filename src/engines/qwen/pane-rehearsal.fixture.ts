import { type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { agent } from './rehearsal.fixture.ts';

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: agent.model,
  env: (origin) => ({ OPENAI_API_KEY: REHEARSED_KEY, OPENAI_BASE_URL: `${origin}/v1`, OPENAI_MODEL: agent.model }),
  args: () => ['--auth-type', 'openai'],
  asked: agent.shell('touch asked.txt'),
  // A quota that is refused with 429 is tried again for more than ten minutes, and nothing on the screen says so.
  limit: {
    status: 403,
    body: {
      error: {
        message: 'The free tier of the model has been exhausted.',
        type: 'AllocationQuota.FreeTierOnly',
        code: 'AllocationQuota.FreeTierOnly',
      },
    },
  },
};

import { limitEnds, type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { agent } from './rehearsal.fixture.ts';

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: agent.model,
  env: () => ({ REHEARSED_KEY }),
  args: (origin) => [
    '-c',
    'model_provider="rehearsed"',
    '-c',
    `model_providers.rehearsed={name="rehearsed",base_url="${origin}/v1",env_key="REHEARSED_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
  ],
  asked: {
    name: 'exec_command',
    arguments: { cmd: 'touch /asked.txt', sandbox_permissions: 'require_escalated', justification: 'May I?' },
  },
  limit: {
    status: 429,
    body: {
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: limitEnds(),
      },
    },
    until: true,
  },
};

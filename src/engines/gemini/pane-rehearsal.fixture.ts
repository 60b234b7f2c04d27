import { type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { agent } from './rehearsal.fixture.ts';

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: agent.model,
  env: (origin) => ({
    GEMINI_API_KEY: REHEARSED_KEY,
    GOOGLE_GEMINI_BASE_URL: origin,
    GEMINI_DEFAULT_AUTH_TYPE: 'gemini-api-key',
  }),
  asked: agent.shell('touch asked.txt'),
  limit: {
    status: 429,
    body: {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [
              {
                quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
                quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
                quotaValue: '250',
              },
            ],
          },
        ],
      },
    },
  },
};

import { type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { geminiPane } from './pane.ts';
import { agent } from './rehearsal.fixture.ts';

const SETTINGS = '.gemini/settings.json';

/** What its pane begins with, once a person has answered how to sign in. */
function settings(): string {
  const context = { cwd: '', configDir: '', hooksDir: '', conversation: '', model: null, args: [], command: null };
  const { security, ...rest } = JSON.parse(geminiPane.start(context).files[SETTINGS] ?? '{}');
  return JSON.stringify({ ...rest, security: { ...security, auth: { selectedType: 'gemini-api-key' } } });
}

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: agent.model,
  env: (origin) => ({ GEMINI_API_KEY: REHEARSED_KEY, GOOGLE_GEMINI_BASE_URL: origin }),
  files: () => ({ [SETTINGS]: settings() }),
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

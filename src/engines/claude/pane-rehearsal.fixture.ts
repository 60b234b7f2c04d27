import { limitEnds, type PaneRehearsal, REHEARSED_KEY } from '../pane/rehearsal.fixture.ts';
import { agent } from './rehearsal.fixture.ts';

/** Only a subscription has a limit that ends by itself. */
const SIGN_IN = {
  claudeAiOauth: {
    accessToken: REHEARSED_KEY,
    refreshToken: REHEARSED_KEY,
    expiresAt: 4_000_000_000_000,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  },
};

export const rehearsedPane: PaneRehearsal = {
  agent,
  model: agent.model,
  env: (origin) => ({ ANTHROPIC_BASE_URL: origin, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }),
  files: () => ({ '.credentials.json': JSON.stringify(SIGN_IN) }),
  asked: agent.shell('touch asked.txt'),
  limit: {
    status: 429,
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(limitEnds()),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    },
    body: { type: 'error', error: { type: 'rate_limit_error', message: 'This request would exceed your limit.' } },
    until: true,
  },
};

import { agentDefinition } from '../agent/definition.ts';
import { readMessageEvent } from '../agent/message-events.ts';
import type { LoginPolicy } from '../policy.ts';

/** Claude Code itself names its version, session and features to its provider. */
const LOGIN: LoginPolicy = {
  of: ['claude'],
  headers: {
    names: [
      'user-agent',
      'x-app',
      'x-claude-code-session-id',
      'x-client-request-id',
      'x-stainless-*',
      'anthropic-dangerous-direct-browser-access',
    ],
    betas: ['oauth'],
  },
};

/** Claude Code. */
export const claudeDefinition = agentDefinition({
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  models: {
    wires: ['anthropic-messages'],
    provider: 'anthropic',
    aliases: { sonnet: 'claude-sonnet-5', opus: 'claude-opus-4-8', haiku: 'claude-haiku-4-5' },
  },
  logins: { anthropic: LOGIN },
  hides: ['.claude', '.mcp.json'],
  mcpServersIn: { '.mcp.json': 'mcpServers' },
  launch: ({ program, model, home }) => ({
    argv: [
      program,
      '--print',
      '--verbose',
      '--output-format',
      'stream-json',
      // The outer sandbox is the boundary, and there is no terminal on which prompts could be answered.
      '--permission-mode',
      'bypassPermissions',
      '--strict-mcp-config',
      '--model',
      model.name,
    ],
    env: {
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_BASE_URL: model.origin,
      ...(model.standIn === null ? { ANTHROPIC_API_KEY: model.key } : { CLAUDE_CODE_OAUTH_TOKEN: model.key }),
      // Without an admitted helper, titles and summaries are asked of the main model.
      ANTHROPIC_SMALL_FAST_MODEL: model.helpers[0] ?? model.name,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model.helpers[0] ?? model.name,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model.name,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model.name,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '2',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    files: {},
  }),
  readEvent: readMessageEvent,
});

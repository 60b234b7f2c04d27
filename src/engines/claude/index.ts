import { agentDefinition } from '../agent/definition.ts';
import { readMessageEvent } from '../agent/message-events.ts';

/** Claude Code. */
export const claudeDefinition = agentDefinition({
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  models: {
    wires: ['anthropic-messages'],
    provider: 'anthropic',
    aliases: { sonnet: 'claude-sonnet-5', opus: 'claude-opus-4-8', haiku: 'claude-haiku-4-5' },
  },
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
      ANTHROPIC_API_KEY: model.key,
      // Titles and summaries are asked of the admitted model too.
      ANTHROPIC_SMALL_FAST_MODEL: model.name,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model.name,
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

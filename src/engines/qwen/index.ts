import { prettyJson } from '../../kernel/canonical.ts';
import { agentDefinition } from '../agent/definition.ts';
import { readMessageEvent } from '../agent/message-events.ts';

/** Qwen Code. */
export const qwenDefinition = agentDefinition({
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  models: { wires: ['openai-chat'], provider: 'dashscope', aliases: {} },
  // It reads variables from `.env`, which can redirect it.
  hides: ['.qwen', '/.env'],
  mcpServersIn: { '.qwen/settings.json': 'mcpServers' },
  launch: ({ program, model, home }) => ({
    argv: [program, '--auth-type', 'openai', '--output-format', 'stream-json', '--approval-mode', 'yolo'],
    env: {
      QWEN_HOME: home,
      OPENAI_BASE_URL: `${model.origin}/v1`,
      OPENAI_API_KEY: model.key,
      OPENAI_MODEL: model.name,
    },
    files: {
      'settings.json': prettyJson({
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        tools: { sandbox: false },
      }),
    },
  }),
  readEvent: readMessageEvent,
});

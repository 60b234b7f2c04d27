import { countIn, type JsonObject, objectIn, textIn } from '../../gateway/exchange/json.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { agentDefinition } from '../agent/definition.ts';
import { detailText, message, toolCallEvents, usageEvent } from '../agent/json-line.ts';
import type { EngineEvent } from '../definition.ts';

/** Gemini CLI. */
export const geminiDefinition = agentDefinition({
  name: 'gemini',
  package: '@google/gemini-cli',
  models: {
    wires: ['gemini'],
    provider: 'google',
    aliases: { flash: 'gemini-2.5-flash', pro: 'gemini-2.5-pro' },
  },
  hides: ['.gemini'],
  mcpServersIn: { '.gemini/settings.json': 'mcpServers' },
  launch: ({ program, model, home }) => ({
    argv: [program, '--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust', '--model', model.name],
    env: { GEMINI_CLI_HOME: home, GEMINI_API_KEY: model.key, GOOGLE_GEMINI_BASE_URL: model.origin },
    files: {
      '.gemini/settings.json': prettyJson({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        tools: { sandbox: false },
        // A `.env` of the repository could redirect it.
        advanced: { ignoreLocalEnv: true },
      }),
    },
  }),
  readEvent,
});

function readEvent(event: JsonObject): readonly EngineEvent[] {
  switch (event['type']) {
    case 'init':
      return [{ type: 'engine.session', data: { id: textIn(event['session_id']) } }];
    case 'message':
      return event['role'] === 'assistant' ? said(textIn(event['content']), event['delta'] === true) : [];
    case 'tool_use': {
      const name = textIn(event['tool_name']);
      const input = objectIn(event['parameters']);
      const writes = EDITS.has(name) ? textIn(input['file_path']) : '';
      return toolCallEvents({ name, id: textIn(event['tool_id']), input, writes });
    }
    case 'tool_result': {
      const detail = detailText(event['output'] ?? objectIn(event['error'])['message'] ?? '');
      const ok = event['status'] === 'success';
      return [{ type: 'engine.tool_result', data: { id: textIn(event['tool_id']), ok, detail } }];
    }
    case 'error':
      return message(`error: ${textIn(event['message'])}`);
    case 'result': {
      const stats = objectIn(event['stats']);
      return usageEvent(countIn(stats['input_tokens']), countIn(stats['output_tokens']));
    }
    default:
      return [];
  }
}

function said(text: string, isPart: boolean): readonly EngineEvent[] {
  return isPart ? [{ type: 'engine.message', data: { text }, partial: true }] : message(text);
}

const EDITS = new Set(['write_file', 'replace']);

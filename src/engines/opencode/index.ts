import type { Wire } from '../../evidence/schema/exchange.ts';
import { countIn, type JsonObject, objectIn, objectsIn, textIn } from '../../gateway/exchange/json.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { agentDefinition } from '../agent/definition.ts';
import { detailText, message, toolCallEvents, usageEvent } from '../agent/json-line.ts';
import type { EngineEvent, ModelAccess } from '../definition.ts';

/** OpenCode. */
export const opencodeDefinition = agentDefinition({
  name: 'opencode',
  package: 'opencode-ai',
  models: { wires: ['openai-chat', 'anthropic-messages'], provider: null, aliases: {} },
  hides: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  mcpServersIn: {
    'opencode.json': 'mcp',
    'opencode.jsonc': 'mcp',
    '.opencode/opencode.json': 'mcp',
    '.opencode/opencode.jsonc': 'mcp',
  },
  launch: ({ program, model, home }) => ({
    argv: [program, 'run', '--format', 'json', '--pure', '--model', `seatrial/${model.name}`],
    env: {
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_DATA_HOME: `${home}/data`,
      XDG_STATE_HOME: `${home}/state`,
      XDG_CACHE_HOME: `${home}/cache`,
      OPENCODE_CONFIG: `${home}/settings.json`,
      SEATRIAL_MODEL_KEY: model.key,
      ...Object.fromEntries(
        ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'].map((part) => [
          `OPENCODE_DISABLE_${part}`,
          '1',
        ]),
      ),
    },
    files: { 'settings.json': settings(model) },
  }),
  readEvent,
});

const LIBRARY_OF_WIRE: Readonly<Partial<Record<Wire, string>>> = {
  'openai-chat': '@ai-sdk/openai-compatible',
  'anthropic-messages': '@ai-sdk/anthropic',
};

function settings({ origin, name, wire, helpers }: ModelAccess): string {
  const small = helpers[0] ?? name;
  return prettyJson({
    autoupdate: false,
    share: 'disabled',
    // Without an admitted helper, titles are asked of the main model.
    small_model: `seatrial/${small}`,
    permission: { edit: 'allow', bash: 'allow', webfetch: 'deny' },
    provider: {
      seatrial: {
        npm: LIBRARY_OF_WIRE[wire] ?? '',
        name: 'seatrial',
        options: { baseURL: `${origin}/v1`, apiKey: '{env:SEATRIAL_MODEL_KEY}' },
        models: { [name]: { name }, [small]: { name: small } },
      },
    },
  });
}

function readEvent(event: JsonObject): readonly EngineEvent[] {
  const part = objectIn(event['part']);
  switch (event['type']) {
    case 'step_start':
      return [{ type: 'engine.session', data: { id: textIn(event['sessionID']) } }];
    case 'text':
      return message(textIn(part['text']));
    case 'tool_use':
      return readTool(part);
    case 'step_finish': {
      const tokens = objectIn(part['tokens']);
      return usageEvent(countIn(tokens['input']), countIn(tokens['output']));
    }
    case 'error':
      return message(`error: ${detailText(event['error'])}`);
    default:
      return [];
  }
}

function readTool(part: JsonObject): readonly EngineEvent[] {
  const name = textIn(part['tool']);
  const id = textIn(part['callID']);
  const state = objectIn(part['state']);
  const input = objectIn(state['input']);
  const ok = state['status'] === 'completed';
  const steps = objectsIn(input['todos']).map((todo) => textIn(todo['content']));
  const writes = ok && EDITS.has(name) ? textIn(input['filePath']) : '';
  return [
    ...toolCallEvents({ name, id, input, writes }),
    { type: 'engine.tool_result', data: { id, ok, detail: detailText(ok ? state['output'] : state['error']) } },
    ...(steps.length > 0 ? [{ type: 'plan.updated', data: { steps } } as const] : []),
  ];
}

const EDITS = new Set(['write', 'edit', 'patch']);

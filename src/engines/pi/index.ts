import { countIn, type JsonObject, objectIn, objectsIn, textIn } from '../../gateway/exchange/json.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { agentDefinition } from '../agent/definition.ts';
import { detailText, message, toolCallEvents, usageEvent } from '../agent/json-line.ts';
import type { EngineEvent, ModelAccess } from '../definition.ts';
import type { LoginPolicy } from '../policy.ts';
import { STAND_IN_REFRESH, type StandInLogin } from '../sign-in/stand-in.ts';
import { piModelsFile } from './models-file.ts';

/** The name by which Pi knows the models of a ChatGPT plan. */
const CHATGPT = 'openai-codex';
const KEY_VARIABLE = 'SEATRIAL_MODEL_KEY';

const LOGIN: LoginPolicy = {
  of: ['pi'],
  headers: { names: ['user-agent', 'originator', 'session_id', 'x-client-request-id'], betas: [] },
};

/** Pi. */
export const piDefinition = agentDefinition({
  name: 'pi',
  package: '@mariozechner/pi-coding-agent',
  models: {
    wires: ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'],
    provider: null,
    aliases: {},
  },
  logins: { [CHATGPT]: LOGIN },
  hides: ['.pi'],
  mcpServersIn: { '.pi/mcp.json': 'mcpServers' },
  launch: ({ program, model, home }) => ({
    argv: [program, '--mode', 'json', '--provider', model.provider, '--model', model.name, '--no-session'],
    env: {
      PI_CODING_AGENT_DIR: home,
      PI_OFFLINE: '1',
      PI_TELEMETRY: '0',
      ...(model.standIn === null ? { [KEY_VARIABLE]: model.key } : {}),
    },
    files:
      model.standIn === null
        ? { 'models.json': piModelsFile(model, KEY_VARIABLE), 'auth.json': prettyJson({}) }
        : { 'models.json': loginModels(model), 'auth.json': authFile(model.standIn) },
  }),
  readEvent,
});

/** Pi's own provider, at another address. */
function loginModels({ origin, name }: ModelAccess): string {
  return prettyJson({ providers: { [CHATGPT]: { baseUrl: `${origin}/backend-api`, models: [{ id: name }] } } });
}

function authFile({ token, accountId, expiresAt }: StandInLogin): string {
  const login = { type: 'oauth', access: token, refresh: STAND_IN_REFRESH, expires: expiresAt, accountId };
  return prettyJson({ [CHATGPT]: login });
}

function readEvent(event: JsonObject): readonly EngineEvent[] {
  switch (event['type']) {
    case 'session':
      return [{ type: 'engine.session', data: { id: textIn(event['id']) } }];
    case 'message_end':
      return readMessage(objectIn(event['message']));
    case 'tool_execution_start': {
      const name = textIn(event['toolName']);
      const input = objectIn(event['args']);
      const writes = EDITS.has(name) ? textIn(input['path']) : '';
      return toolCallEvents({ name, id: textIn(event['toolCallId']), input, writes });
    }
    case 'tool_execution_end': {
      const texts = objectsIn(objectIn(event['result'])['content']).map((part) => textIn(part['text']));
      const data = {
        id: textIn(event['toolCallId']),
        ok: event['isError'] !== true,
        detail: detailText(texts.join('\n')),
      };
      return [{ type: 'engine.tool_result', data }];
    }
    default:
      return [];
  }
}

const EDITS = new Set(['write', 'edit']);

function readMessage(said: JsonObject): readonly EngineEvent[] {
  if (said['role'] !== 'assistant') return [];
  const texts = objectsIn(said['content']).map((part) => textIn(part['text']));
  const used = objectIn(said['usage']);
  const failed = said['stopReason'] === 'error' ? message(`error: ${textIn(said['errorMessage'])}`) : [];
  return [...message(texts.join('')), ...failed, ...usageEvent(countIn(used['input']), countIn(used['output']))];
}

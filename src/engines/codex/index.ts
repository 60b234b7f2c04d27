import { countIn, type JsonObject, objectIn, objectsIn, textIn } from '../../gateway/exchange/json.ts';
import { agentDefinition } from '../agent/definition.ts';
import { detailText, message, usageEvent } from '../agent/json-line.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import type { EngineEvent, ModelAccess } from '../definition.ts';
import type { LoginPolicy } from '../policy.ts';
import { STAND_IN_REFRESH, type StandInLogin } from '../sign-in/stand-in.ts';

const KEY_VARIABLE = 'SEATRIAL_MODEL_KEY';

/** Codex itself names its front end, session and turn to its provider. */
const LOGIN: LoginPolicy = {
  of: ['codex'],
  headers: {
    names: [
      'user-agent',
      'originator',
      'version',
      'session-id',
      'session_id',
      'thread-id',
      'conversation_id',
      'x-client-request-id',
      'x-codex-*',
      'x-openai-internal-codex-*',
      'x-openai-subagent',
    ],
    betas: [],
  },
};

/** Codex CLI. */
export const codexDefinition = agentDefinition({
  name: 'codex',
  package: '@openai/codex',
  models: { wires: ['openai-responses'], provider: 'openai', aliases: {} },
  logins: { 'openai-codex': LOGIN },
  hides: ['.codex'],
  mcpServersIn: { '.codex/config.toml': 'mcp_servers' },
  launch: ({ program, model, home }) => ({
    argv: [
      program,
      'exec',
      '--json',
      '--skip-git-repo-check',
      // The outer sandbox is the boundary; a sandbox inside it does not start.
      '--sandbox',
      'danger-full-access',
      ...['plugins', 'apps', 'unbounded_connection_retries'].flatMap((feature) => ['--disable', feature]),
      ...Object.entries(settings(model)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      '-',
    ],
    env: { CODEX_HOME: home, ...(model.standIn === null ? { [KEY_VARIABLE]: model.key } : {}) },
    // Codex starts only if its home exists.
    files: {
      'README.txt': 'State of Codex in this run.\n',
      ...(model.standIn === null ? {} : { 'auth.json': authFile(model.standIn) }),
    },
  }),
  readEvent,
});

/** Values are TOML. */
function settings({ name, origin, standIn }: ModelAccess): Readonly<Record<string, string>> {
  const base = JSON.stringify(`${origin}/v1`);
  const credential = standIn === null ? `env_key="${KEY_VARIABLE}"` : 'requires_openai_auth=true';
  return {
    check_for_update_on_startup: 'false',
    'analytics.enabled': 'false',
    web_search: '"disabled"',
    approval_policy: '"never"',
    model: JSON.stringify(name),
    ...(standIn === null
      ? {}
      : {
          // Account and plugin requests go to the gateway too, which refuses them.
          chatgpt_base_url: JSON.stringify(`${origin}/backend-api`),
          cli_auth_credentials_store: '"file"',
        }),
    model_provider: '"seatrial"',
    'model_providers.seatrial': `{name="seatrial",base_url=${base},${credential},wire_api="responses",request_max_retries=1,stream_max_retries=1}`,
  };
}

function authFile({ token, accountId, issuedAt }: StandInLogin): string {
  return prettyJson({
    auth_mode: 'chatgpt',
    OPENAI_API_KEY: null,
    tokens: { id_token: token, access_token: token, refresh_token: STAND_IN_REFRESH, account_id: accountId },
    last_refresh: new Date(issuedAt).toISOString(),
  });
}

function readEvent(event: JsonObject): readonly EngineEvent[] {
  switch (event['type']) {
    case 'thread.started':
      return [{ type: 'engine.session', data: { id: textIn(event['thread_id']) } }];
    case 'item.started':
      return startedItem(objectIn(event['item']));
    case 'item.completed':
      return completedItem(objectIn(event['item']));
    case 'turn.completed': {
      const used = objectIn(event['usage']);
      return usageEvent(countIn(used['input_tokens']), countIn(used['output_tokens']));
    }
    case 'turn.failed':
      return message(`error: ${textIn(objectIn(event['error'])['message'])}`);
    case 'error':
      return message(`error: ${textIn(event['message'])}`);
    default:
      return [];
  }
}

function startedItem(item: JsonObject): readonly EngineEvent[] {
  const data = { name: 'exec_command', detail: detailText(item['command']), id: textIn(item['id']) };
  return item['type'] === 'command_execution' ? [{ type: 'engine.tool', data }] : [];
}

function completedItem(item: JsonObject): readonly EngineEvent[] {
  const id = textIn(item['id']);
  switch (item['type']) {
    case 'agent_message':
      return message(textIn(item['text']));
    case 'command_execution':
      return [
        {
          type: 'engine.tool_result',
          data: { id, ok: item['exit_code'] === 0, detail: detailText(item['aggregated_output']) },
        },
      ];
    case 'file_change': {
      const paths = objectsIn(item['changes']).map((change) => textIn(change['path']));
      const ok = item['status'] !== 'failed';
      return [
        { type: 'engine.tool', data: { name: 'apply_patch', detail: paths.join(', '), id } },
        { type: 'engine.tool_result', data: { id, ok, detail: textIn(item['status']) } },
        ...paths.map((path): EngineEvent => ({ type: 'engine.edit', data: { path } })),
      ];
    }
    case 'todo_list':
      return [{ type: 'plan.updated', data: { steps: objectsIn(item['items']).map((step) => textIn(step['text'])) } }];
    case 'error':
      return message(`error: ${textIn(item['message'])}`);
    default:
      return [];
  }
}

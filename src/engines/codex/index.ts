import { countIn, type JsonObject, objectIn, objectsIn, textIn } from '../../gateway/exchange/json.ts';
import { agentDefinition } from '../agent/definition.ts';
import { detailText, message, usageEvent } from '../agent/json-line.ts';
import type { EngineEvent } from '../definition.ts';

const KEY_VARIABLE = 'SEATRIAL_MODEL_KEY';

/** Codex CLI. */
export const codexDefinition = agentDefinition({
  name: 'codex',
  package: '@openai/codex',
  models: { wires: ['openai-responses'], provider: 'openai', aliases: {} },
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
      ...Object.entries(settings(model.name, model.origin)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      '-',
    ],
    env: { CODEX_HOME: home, [KEY_VARIABLE]: model.key },
    // Codex starts only if its home exists.
    files: { 'README.txt': 'State of Codex in this run.\n' },
  }),
  readEvent,
});

/** Values are TOML. */
function settings(model: string, origin: string): Readonly<Record<string, string>> {
  const base = JSON.stringify(`${origin}/v1`);
  return {
    check_for_update_on_startup: 'false',
    'analytics.enabled': 'false',
    web_search: '"disabled"',
    approval_policy: '"never"',
    model: JSON.stringify(model),
    model_provider: '"seatrial"',
    'model_providers.seatrial': `{name="seatrial",base_url=${base},env_key="${KEY_VARIABLE}",wire_api="responses",request_max_retries=1,stream_max_retries=1}`,
  };
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

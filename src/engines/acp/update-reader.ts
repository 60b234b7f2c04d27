import {
  countIn,
  isObject,
  type JsonObject,
  objectIn,
  objectsIn,
  parseJson,
  textIn,
} from '../../gateway/exchange/json.ts';
import { message, usageEvent } from '../agent/json-line.ts';
import type { EngineEvent } from '../definition.ts';
import { ToolCalls } from './tool-calls.ts';

/** Turns what an agent reports in a session into events. Its messages come in chunks, and end where something else begins. */
export class UpdateReader {
  readonly calls = new ToolCalls();
  #text = '';
  #messageId = '';
  #hasToldUsage = false;

  read(update: JsonObject): readonly EngineEvent[] {
    const kind = update['sessionUpdate'];
    if (kind === 'agent_message_chunk')
      return [...this.#takeChunk(update), ...this.#usageIn(objectIn(update['_meta'])['usage'])];
    switch (kind) {
      case 'plan':
        return [
          ...this.#endMessage(),
          {
            type: 'plan.updated',
            data: { steps: objectsIn(update['entries']).map((entry) => textIn(entry['content'])) },
          },
        ];
      case 'tool_call':
      case 'tool_call_update':
        return [...this.#endMessage(), ...this.calls.note(update)];
      default:
        return [];
    }
  }

  /** The call that permission is asked for counts as begun. */
  readPermission(toolCall: JsonObject): readonly EngineEvent[] {
    return [...this.#endMessage(), ...this.calls.note({ ...toolCall, status: 'in_progress' })];
  }

  /** The answer that ends a turn. */
  readEnd(response: JsonObject): readonly EngineEvent[] {
    const quota = objectIn(objectIn(objectIn(response['_meta'])['quota'])['token_count']);
    const used = isObject(response['usage'])
      ? response['usage']
      : { inputTokens: quota['input_tokens'], outputTokens: quota['output_tokens'] };
    return [...this.flush(), ...(this.#hasToldUsage ? [] : this.#usageIn(used))];
  }

  flush(): readonly EngineEvent[] {
    return [...this.#endMessage(), ...this.calls.flush()];
  }

  #takeChunk({ messageId, content }: JsonObject): readonly EngineEvent[] {
    const id = textIn(messageId);
    const ended = id === this.#messageId ? [] : this.#endMessage();
    this.#messageId = id;
    // A message that never ends is cut.
    if (this.#text.length < MAX_MESSAGE) this.#text += textIn(objectIn(content)['text']);
    return ended;
  }

  #endMessage(): readonly EngineEvent[] {
    const text = this.#text.slice(0, MAX_MESSAGE);
    this.#text = '';
    return message(text);
  }

  #usageIn(value: unknown): readonly EngineEvent[] {
    const used = objectIn(value);
    const events = usageEvent(countIn(used['inputTokens']), countIn(used['outputTokens']));
    if (events.length > 0) this.#hasToldUsage = true;
    return events;
  }
}

const MAX_MESSAGE = 100_000;

/** The events of a whole conversation, from what the agent printed. */
export function readAgentLog(stdout: string): readonly EngineEvent[] {
  const reader = new UpdateReader();
  const events = stdout.split('\n').flatMap((line) => {
    const said = line.startsWith('{') ? objectIn(parseJson(line)) : {};
    const params = objectIn(said['params']);
    if (said['method'] === 'session/update') return reader.read(objectIn(params['update']));
    return said['method'] === 'session/request_permission' ? reader.readPermission(objectIn(params['toolCall'])) : [];
  });
  return [...events, ...reader.flush()];
}

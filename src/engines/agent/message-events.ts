import { countIn, isObject, type JsonObject, objectIn, objectsIn, textIn } from '../../gateway/exchange/json.ts';
import type { EngineEvent } from '../definition.ts';
import { detailText, message, toolCallEvents, usageEvent } from './json-line.ts';

/** Events in the stream format that several agents share: whole messages with blocks of text, tool calls and their results. */
export function readMessageEvent(event: JsonObject): readonly EngineEvent[] {
  switch (event['type']) {
    case 'system':
      return event['subtype'] === 'init' ? [{ type: 'engine.session', data: { id: textIn(event['session_id']) } }] : [];
    case 'assistant':
    case 'user':
      return objectsIn(objectIn(event['message'])['content']).flatMap(readBlock);
    case 'result': {
      const used = objectIn(event['usage']);
      const spent = usageEvent(countIn(used['input_tokens']), countIn(used['output_tokens']));
      return event['is_error'] === true ? [...message(`error: ${textIn(event['result'])}`), ...spent] : spent;
    }
    default:
      return [];
  }
}

function readBlock(block: JsonObject): readonly EngineEvent[] {
  switch (block['type']) {
    case 'text':
      return message(textIn(block['text']));
    case 'tool_use':
      return readToolUse(textIn(block['name']), textIn(block['id']), objectIn(block['input']));
    case 'tool_result': {
      const detail = detailText(contentText(block['content']));
      return [
        {
          type: 'engine.tool_result',
          data: { id: textIn(block['tool_use_id']), ok: block['is_error'] !== true, detail },
        },
      ];
    }
    default:
      return [];
  }
}

function readToolUse(name: string, id: string, input: JsonObject): readonly EngineEvent[] {
  const writes = EDITS.has(name.toLowerCase()) ? textIn(input['file_path'] ?? input['notebook_path']) : '';
  const call = toolCallEvents({ name, id, input, writes });
  const steps = objectsIn(input['todos']).map((todo) => textIn(todo['content']));
  return steps.length === 0 ? call : [...call, { type: 'plan.updated', data: { steps } }];
}

const EDITS = new Set(['write', 'edit', 'multiedit', 'notebookedit', 'write_file', 'replace']);

function contentText(content: unknown): unknown {
  const texts = Array.isArray(content) ? content.filter(isObject).map((part) => textIn(part['text'])) : [];
  return texts.length === 0 ? content : texts.join('\n');
}

import { type JsonObject, objectsIn, textIn } from '../exchange/json.ts';

/** A request as the ChatGPT backend takes it, and what was changed to that end. */
export interface AdaptedBody {
  readonly json: JsonObject;
  readonly changed: readonly string[];
}

/**
 * The ChatGPT backend speaks the responses wire with differences: it sets the output limit itself, and takes a system prompt as
 * `instructions` only. Its own clients send it so; others are translated.
 */
export function adaptForChatGpt(json: JsonObject): AdaptedBody {
  const { max_output_tokens: limit, ...rest } = json;
  const dropped = limit === undefined ? [] : ['max_output_tokens: left out'];
  const input = rest['input'];
  const items = Array.isArray(input) ? objectsIn(input) : [];
  const system = items.filter(({ role }) => role === 'system');
  if (system.length === 0) return { json: rest, changed: dropped };
  const instructions = [textIn(rest['instructions']), ...system.map(({ content }) => contentText(content))];
  return {
    json: {
      ...rest,
      instructions: instructions.filter((text) => text !== '').join('\n\n'),
      input: items.filter(({ role }) => role !== 'system'),
    },
    changed: [...dropped, 'input: system messages sent as instructions'],
  };
}

function contentText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : objectsIn(content)
        .map((part) => textIn(part['text']))
        .join('\n');
}

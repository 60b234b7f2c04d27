import { cacheControl } from './cache-control.ts';
import {
  boolean,
  positiveInteger,
  data,
  listOf,
  mediaType,
  object,
  oneOf,
  plain,
  plains,
  schema,
  type AllowedValue,
  tagged,
  textOr,
} from './shape.ts';

const cached = { cache_control: cacheControl };
const text = object({ text: plain, ...cached });

/** Sources by address or by the id of a stored file are not listed. */
const source = (inner: AllowedValue): AllowedValue =>
  tagged('source', {
    base64: object({ media_type: mediaType, data: plain }),
    text: object({ media_type: mediaType, data: plain }),
    content: object({ content: inner }),
  });

const image = object({ source: source(plain), ...cached });
const document = object({
  source: source(textOr(listOf(tagged('content', { text, image })))),
  ...plains('title', 'context'),
  citations: object(plains('enabled')),
  ...cached,
});

const block = tagged('content', {
  text,
  image,
  document,
  thinking: object(plains('thinking', 'signature')),
  redacted_thinking: object(plains('data')),
  tool_use: object({ ...plains('id', 'name'), input: data, ...cached }),
  tool_result: object({
    ...plains('tool_use_id', 'is_error'),
    content: textOr(listOf(tagged('content', { text, image, document, tool_reference: object(plains('tool_name')) }))),
    ...cached,
  }),
});

const OWN = { ...plains('name', 'defer_loading'), ...cached };

/** Removes parts of the conversation. Summaries by the provider are not listed: they use tokens that no answer reports. */
const edit = tagged('context edit', {
  clear_thinking: object({ keep: data }),
  clear_tool_uses: object({
    trigger: data,
    keep: data,
    clear_at_least: data,
    exclude_tools: data,
    clear_tool_inputs: data,
  }),
});

export const anthropicMessagesBody = object({
  ...plains('model', 'temperature', 'top_p', 'top_k'),
  max_tokens: positiveInteger,
  stream: boolean,
  messages: listOf(object({ role: plain, content: textOr(listOf(block)) })),
  system: textOr(listOf(tagged('content', { text }))),
  stop_sequences: listOf(plain),
  thinking: object(plains('type', 'budget_tokens', 'display')),
  metadata: object(plains('user_id')),
  service_tier: oneOf('auto', 'standard_only'),
  context_management: object({ edits: listOf(edit) }),
  output_config: object({ effort: plain, format: tagged('response format', { json_schema: object({ schema }) }) }),
  output_format: tagged('response format', { json_schema: object({ schema }) }),
  ...cached,
  // The types other than `custom` are known to the model by name; the engine runs them.
  tools: listOf(
    tagged(
      'tool',
      {
        custom: object({
          ...OWN,
          ...plains('description', 'strict', 'eager_input_streaming'),
          input_schema: schema,
          input_examples: data,
        }),
        bash: object(OWN),
        text_editor: object({ ...OWN, max_characters: plain }),
        memory: object(OWN),
      },
      'custom',
    ),
  ),
  tool_choice: object(plains('type', 'name', 'disable_parallel_tool_use')),
});

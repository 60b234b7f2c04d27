import { answerSchema, cacheRetention, grammar, reasoning, serviceTier, streamOptions } from './openai-parts.ts';
import {
  always,
  boolean,
  positiveInteger,
  data,
  dataUrl,
  listOf,
  object,
  oneOf,
  plain,
  plains,
  schema,
  tagged,
  textOr,
  type TaggedObject,
} from './shape.ts';

/** Citations come from searches, which are not allowed. */
const annotations = listOf(tagged('annotation', {}));
const text = object({ ...plains('text'), annotations, logprobs: data });

const content = textOr(
  listOf(
    tagged('content', {
      input_text: object(plains('text')),
      output_text: text,
      text,
      refusal: object(plains('refusal')),
      summary_text: object(plains('text')),
      reasoning_text: object(plains('text')),
      encrypted_content: object(plains('encrypted_content')),
      input_image: object({ image_url: dataUrl, detail: plain }),
      input_file: object({ file_data: dataUrl, filename: plain }),
      input_audio: object({ input_audio: object(plains('data', 'format')) }),
    }),
  ),
);

const CALL = ['id', 'call_id', 'status', 'name', 'namespace'];
const call = object({ ...plains(...CALL, 'arguments', 'input', 'execution') });
const result = object({ ...plains(...CALL, 'success'), output: content });

/** Items of a conversation. A call of a tool that ran at the provider is none of them. */
const item = tagged(
  'input item',
  {
    message: object({ ...plains('role', 'id', 'status', 'phase'), content }),
    reasoning: object({ ...plains('id', 'status', 'encrypted_content'), summary: content, content }),
    compaction: object(plains('id', 'encrypted_content')),
    function_call: call,
    function_call_output: result,
    custom_tool_call: call,
    custom_tool_call_output: result,
    local_shell_call: object({ ...plains(...CALL), action: data }),
    local_shell_call_output: result,
    apply_patch_call: object({ ...plains(...CALL), operation: data }),
    apply_patch_call_output: result,
  },
  'message',
);

const FUNCTION = object({ ...plains('name', 'description', 'strict', 'defer_loading'), parameters: schema });
const CUSTOM = object({
  ...plains('name', 'description', 'defer_loading'),
  format: tagged('tool format', { text: object({}), grammar: object({ ...plains('syntax', 'definition'), grammar }) }),
});

/** Tools that the engine runs. */
const tool: TaggedObject = tagged('tool', {
  function: FUNCTION,
  custom: CUSTOM,
  local_shell: object({}),
  apply_patch: object({}),
  namespace: object({
    ...plains('name', 'description'),
    tools: listOf(tagged('tool', { function: FUNCTION, custom: CUSTOM })),
  }),
});

const chosen = { function: object(plains('name')), custom: object(plains('name')), apply_patch: object({}) };

export const openaiResponsesBody = object({
  ...plains('model', 'instructions', 'max_tool_calls', 'parallel_tool_calls'),
  ...plains('temperature', 'top_p', 'top_logprobs', 'truncation', 'user'),
  ...plains('prompt_cache_key', 'safety_identifier'),
  stream: boolean,
  max_output_tokens: positiveInteger,
  input: textOr(listOf(item)),
  // This wire stores by default, and a stored answer can be referred to from another run.
  store: always(false),
  include: listOf(oneOf('reasoning.encrypted_content', 'message.output_text.logprobs')),
  stream_options: streamOptions,
  reasoning,
  text: object({
    verbosity: plain,
    format: tagged('response format', { text: object({}), json_object: object({}), json_schema: object(answerSchema) }),
  }),
  prompt_cache_retention: cacheRetention,
  service_tier: serviceTier,
  tools: listOf(tool),
  tool_choice: textOr(
    tagged('tool choice', {
      ...chosen,
      allowed_tools: object({ mode: plain, tools: listOf(tagged('tool choice', chosen)) }),
    }),
  ),
});

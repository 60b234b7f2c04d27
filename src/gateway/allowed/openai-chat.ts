import { cacheControl } from './cache-control.ts';
import { answerSchema, cacheRetention, grammar, reasoning, serviceTier, streamOptions } from './openai-parts.ts';
import {
  boolean,
  positiveInteger,
  dataUrl,
  ifGiven,
  listOf,
  mapOf,
  object,
  plain,
  plains,
  schema,
  tagged,
  textOr,
} from './shape.ts';

const content = textOr(
  listOf(
    tagged('content', {
      text: object({ text: plain, cache_control: cacheControl }),
      refusal: object({ refusal: plain }),
      thinking: object({ thinking: textOr(listOf(object(plains('type', 'text')))), ...plains('signature', 'closed') }),
      image_url: object({ image_url: object({ url: dataUrl, detail: plain }), cache_control: cacheControl }),
      video_url: object({ video_url: object({ url: dataUrl }) }),
      input_audio: object({ input_audio: object(plains('data', 'format')) }),
      file: object({ file: object({ file_data: dataUrl, filename: plain }) }),
    }),
  ),
);

const calls = listOf(
  tagged(
    'tool call',
    {
      function: object({
        ...plains('id', 'index'),
        function: object(plains('name', 'arguments')),
        extra_content: object({ google: object(plains('thought_signature')) }),
      }),
      custom: object({ ...plains('id', 'index'), custom: object(plains('name', 'input')) }),
    },
    'function',
  ),
);

const named = object(plains('name'));
const chosen = { function: object({ function: named }), custom: object({ custom: named }) };
const definition = object({ ...plains('name', 'description', 'strict'), parameters: schema });

export const openaiChatBody = object({
  ...plains('model', 'parallel_tool_calls'),
  ...plains('temperature', 'top_p', 'top_k', 'min_p', 'seed', 'frequency_penalty', 'presence_penalty'),
  ...plains('repetition_penalty', 'logprobs', 'top_logprobs', 'reasoning_effort', 'verbosity', 'user'),
  ...plains('prompt_cache_key', 'safety_identifier', 'enable_thinking', 'thinking_budget'),
  ...plains('vl_high_resolution_images'),
  stream: boolean,
  max_tokens: positiveInteger,
  max_completion_tokens: positiveInteger,
  messages: listOf(
    object({
      ...plains('role', 'name', 'tool_call_id', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_text'),
      content,
      tool_calls: calls,
      function_call: object(plains('name', 'arguments')),
      reasoning_details: listOf(
        object(plains('type', 'id', 'index', 'format', 'text', 'summary', 'data', 'signature', 'thinking')),
      ),
      cache_control: cacheControl,
    }),
  ),
  stream_options: streamOptions,
  // Only set if the engine sends it: servers of this wire do not store by default, and some do not know the key.
  store: ifGiven(false),
  stop: textOr(listOf(plain)),
  logit_bias: mapOf(plain),
  prompt_cache_retention: cacheRetention,
  service_tier: serviceTier,
  reasoning,
  thinking: object(plains('type', 'budget_tokens', 'clear_thinking')),
  chat_template_kwargs: object(
    plains('enable_thinking', 'thinking', 'preserve_thinking', 'clear_thinking', 'reasoning_effort'),
  ),
  response_format: tagged('response format', {
    text: object({}),
    json_object: object({}),
    json_schema: object({ json_schema: object(answerSchema) }),
  }),
  tools: listOf(
    tagged('tool', {
      function: object({ function: definition, cache_control: cacheControl }),
      custom: object({
        custom: object({
          ...plains('name', 'description'),
          format: tagged('tool format', { text: object({}), grammar: object({ grammar }) }),
        }),
      }),
    }),
  ),
  tool_choice: textOr(
    tagged('tool choice', {
      ...chosen,
      allowed_tools: object({ allowed_tools: object({ mode: plain, tools: listOf(tagged('tool choice', chosen)) }) }),
    }),
  ),
  functions: listOf(definition),
  function_call: textOr(named),
});

import type { Wire } from '../../evidence/schema/exchange.ts';
import type { JsonObject } from '../exchange/json.ts';

/** The second request of each agent, as recorded from its release, with shortened texts and one tool of each kind. */
export interface AgentRequest {
  readonly agent: string;
  readonly wire: Wire;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly dropped: readonly string[];
}

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { command: { $ref: '#/$defs/text' }, url: { type: 'string', format: 'uri' } },
  required: ['command'],
  additionalProperties: false,
  $defs: { text: { type: 'string' } },
};
const CALL = '{"command":"echo hi > a.txt","description":"x"}';
const chatTool = { type: 'function', function: { name: 'bash', description: 'Runs a command', parameters: SCHEMA } };
const chat = { path: '/v1/chat/completions', wire: 'openai-chat' } as const;

export const AGENT_REQUESTS: readonly AgentRequest[] = [
  {
    ...chat,
    agent: 'qwen 0.15.10',
    headers: { accept: 'application/json', 'user-agent': 'QwenCode/0.15.10 (linux; x64)', 'x-stainless-os': 'Linux' },
    body: {
      model: 'scripted',
      messages: [
        { role: 'system', content: 'You are Qwen Code' },
        { role: 'user', content: [{ type: 'text', text: 'write a file a.txt' }] },
        { role: 'assistant', content: 'Got it. Thanks for the context!' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [chatTool],
      max_tokens: 8000,
    },
    dropped: [],
  },
  {
    ...chat,
    agent: 'pi 0.73.1',
    headers: { accept: 'application/json', 'user-agent': 'OpenAI/JS 6.26.0' },
    body: {
      model: 'scripted',
      messages: [
        { role: 'developer', content: 'You are an expert coding assistant' },
        { role: 'user', content: [{ type: 'text', text: 'write a file a.txt' }] },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'thinking about it',
          tool_calls: [{ id: 'call_1_0', type: 'function', function: { name: 'bash', arguments: CALL } }],
        },
        { role: 'tool', content: '(no output)', tool_call_id: 'call_1_0' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      store: false,
      max_completion_tokens: 16_384,
      tools: [{ ...chatTool, function: { ...chatTool.function, strict: false } }],
      reasoning_effort: 'medium',
    },
    dropped: [],
  },
  {
    ...chat,
    agent: 'opencode 1.18.33',
    headers: { accept: '*/*', 'x-session-affinity': 'ses_1', 'user-agent': 'opencode/1.18.33' },
    body: {
      model: 'scripted',
      max_tokens: 32_000,
      messages: [
        { role: 'system', content: 'You are opencode' },
        { role: 'user', content: '"write a file a.txt"' },
      ],
      tools: [chatTool],
      tool_choice: 'auto',
      stream: true,
      stream_options: { include_usage: true },
    },
    dropped: [],
  },
  {
    agent: 'codex 0.166.0',
    wire: 'openai-responses',
    path: '/v1/responses',
    headers: { accept: 'text/event-stream', 'x-codex-beta-features': 'remote_compaction_v2', originator: 'codex_exec' },
    body: {
      model: 'scripted',
      stream: true,
      input: [
        { type: 'message', id: 'msg_1', role: 'developer', content: [{ type: 'input_text', text: '<permissions>' }] },
        { type: 'message', id: 'msg_2', role: 'user', content: [{ type: 'input_text', text: 'write a file a.txt' }] },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'thinking about it' }],
          content: null,
          encrypted_content: null,
        },
        {
          type: 'function_call',
          status: 'completed',
          id: 'fc_1_0',
          name: 'exec_command',
          arguments: CALL,
          call_id: 'call_1_0',
        },
        { type: 'function_call_output', id: 'fco_1', call_id: 'call_1_0', output: 'done' },
        { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Success.' },
      ],
      tools: [
        { type: 'function', name: 'exec_command', description: 'Runs', strict: false, parameters: SCHEMA },
        {
          type: 'custom',
          name: 'apply_patch',
          description: 'Edits files',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch' },
        },
        {
          type: 'namespace',
          name: 'multi_agent_v1',
          description: 'Agents',
          tools: [{ type: 'function', name: 'spawn', description: 'Starts', strict: false, parameters: SCHEMA }],
        },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning: { summary: 'auto' },
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: '01a1e53a',
      text: { verbosity: 'low' },
      client_metadata: { session_id: '01a1e53a' },
    },
    dropped: ['client_metadata'],
  },
  {
    agent: 'claude 2.1.197',
    wire: 'anthropic-messages',
    path: '/v1/messages?beta=true',
    headers: {
      accept: 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-beta':
        'claude-code-20250219,context-1m-2025-08-07,interleaved-thinking-2025-05-14,thinking-token-count-2026-05-13,context-management-2025-06-27,prompt-caching-scope-2026-01-05,mid-conversation-system-2026-04-07,effort-2025-11-24',
      'x-claude-code-session-id': '6e0fa10f',
      'x-app': 'cli',
    },
    body: {
      model: 'scripted',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '<system-reminder>' },
            { type: 'text', text: 'write a file a.txt', cache_control: { type: 'ephemeral' } },
          ],
        },
        { role: 'system', content: 'Available agent types' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'thinking about it', signature: 'scripted' },
            { type: 'tool_use', id: 'toolu_1_0', name: 'Bash', input: { command: 'ls', container: 'x' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              content: [
                { type: 'text', text: 'a screenshot' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
              ],
              is_error: true,
              tool_use_id: 'toolu_1_0',
              cache_control: { type: 'ephemeral' },
            },
          ],
        },
      ],
      system: [{ type: 'text', text: 'You are an interactive agent', cache_control: { type: 'ephemeral' } }],
      tools: [{ name: 'Bash', description: 'Runs a command', input_schema: SCHEMA }],
      metadata: { user_id: '{"session_id":"6e0fa10f"}' },
      max_tokens: 64_000,
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
      stream: true,
    },
    dropped: [],
  },
  {
    agent: 'gemini 0.61.0',
    wire: 'gemini',
    path: '/v1beta/models/scripted:streamGenerateContent?alt=sse',
    headers: { accept: '*/*', 'x-goog-api-client': 'google-genai-sdk/1.30.0' },
    body: {
      contents: [
        { parts: [{ text: 'write a file a.txt' }], role: 'user' },
        {
          parts: [
            {
              functionCall: { id: 'bash_1', args: { command: 'ls' }, name: 'bash' },
              thoughtSignature: 'skip_validator',
            },
          ],
          role: 'model',
        },
        { parts: [{ functionResponse: { name: 'bash', response: { output: 'a.txt' }, id: 'bash_1' } }], role: 'user' },
      ],
      systemInstruction: { parts: [{ text: 'You are a non-interactive CLI agent' }], role: 'user' },
      tools: [{ functionDeclarations: [{ name: 'bash', description: 'Runs', parametersJsonSchema: SCHEMA }] }],
      generationConfig: {
        temperature: 1,
        topP: 0.95,
        topK: 64,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 },
      },
    },
    dropped: [],
  },
];

import { describe, expect, test } from 'vitest';
import { chooseEngine } from '../list.ts';

/** Lines as the real programs print them, shortened. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  claude: [
    '{"type":"system","subtype":"init","cwd":"/workspace","session_id":"s-1","tools":["Bash"],"model":"m"}',
    '{"type":"assistant","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"t-1","name":"Write","input":{"file_path":"/workspace/a.txt","content":"hi"}}]},"session_id":"s-1"}',
    '{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t-1","type":"tool_result","is_error":true,"content":"denied"}]},"session_id":"s-1"}',
    '{"type":"assistant","message":{"id":"msg_2","role":"assistant","content":[{"type":"text","text":"Created a.txt."}]},"session_id":"s-1"}',
    '{"type":"result","subtype":"success","is_error":false,"result":"Created a.txt.","usage":{"input_tokens":220,"output_tokens":18}}',
  ],
  qwen: [
    '{"type":"system","subtype":"init","session_id":"s-1","model":"m1"}',
    '{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t-1","name":"write_file","input":{"file_path":"/workspace/a.txt","content":"hi"}}]}}',
    '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t-1","is_error":true,"content":"denied"}]}}',
    '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Created a.txt."}]}}',
    '{"type":"result","subtype":"success","is_error":false,"usage":{"input_tokens":220,"output_tokens":18}}',
  ],
  gemini: [
    '{"type":"init","session_id":"s-1","model":"gemini-2.5-flash"}',
    '{"type":"message","role":"user","content":"Create a.txt"}',
    '{"type":"tool_use","tool_name":"write_file","tool_id":"t-1","parameters":{"file_path":"/workspace/a.txt","content":"hi"}}',
    '{"type":"tool_result","tool_id":"t-1","status":"error","error":{"type":"denied","message":"denied"}}',
    '{"type":"message","role":"assistant","content":"Created a.txt.","delta":true}',
    '{"type":"result","status":"success","stats":{"input_tokens":220,"output_tokens":18,"tool_calls":1}}',
  ],
  pi: [
    '{"type":"session","version":3,"id":"s-1","cwd":"/workspace"}',
    '{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"Create a.txt"}]}}',
    '{"type":"tool_execution_start","toolCallId":"t-1","toolName":"write","args":{"path":"/workspace/a.txt","content":"hi"}}',
    '{"type":"tool_execution_end","toolCallId":"t-1","toolName":"write","result":{"content":[{"type":"text","text":"denied"}]},"isError":true}',
    '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"Created"}}',
    '{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"Created a.txt."}],"usage":{"input":220,"output":18},"stopReason":"stop"}}',
  ],
  opencode: [
    '{"type":"step_start","sessionID":"s-1","part":{"type":"step-start"}}',
    '{"type":"tool_use","sessionID":"s-1","part":{"type":"tool","tool":"write","callID":"t-1","state":{"status":"error","input":{"filePath":"/workspace/a.txt","content":"hi"},"error":"denied"}}}',
    '{"type":"text","sessionID":"s-1","part":{"type":"text","text":"Created a.txt."}}',
    '{"type":"step_finish","sessionID":"s-1","part":{"type":"step-finish","tokens":{"input":220,"output":18}}}',
  ],
  codex: [
    '{"type":"thread.started","thread_id":"s-1"}',
    '{"type":"item.started","item":{"id":"t-1","type":"command_execution","command":"/bin/sh -lc \'echo hi > a.txt\'","exit_code":null}}',
    '{"type":"item.completed","item":{"id":"t-1","type":"command_execution","command":"x","aggregated_output":"denied","exit_code":1,"status":"failed"}}',
    '{"type":"item.completed","item":{"id":"i-2","type":"agent_message","text":"Created a.txt."}}',
    '{"type":"turn.completed","usage":{"input_tokens":220,"output_tokens":18}}',
  ],
};

const CALL = {
  started_at: '2026-01-01T00:00:00.000Z',
  status: 200,
  ended: 'complete',
  shape: 'content',
  detail: null,
} as const;
const logs = (stdout: string, calls: readonly (typeof CALL)[]) => ({
  stdout,
  stderr: '',
  ownLog: '',
  calls,
  claims: new Set<string>(),
  refusedModels: [],
  denials: [],
  exitCode: 0,
});

describe.each(Object.entries(LINES))('%s', (name, lines) => {
  const engine = chooseEngine(name);

  test('its lines become the same events as those of every other agent', () => {
    const events = lines.flatMap((line) => engine.read(line)).filter(({ type }) => type !== 'engine.edit');
    expect(events).toMatchObject([
      { type: 'engine.session', data: { id: 's-1' } },
      { type: 'engine.tool', data: { id: 't-1' } },
      { type: 'engine.tool_result', data: { id: 't-1', ok: false, detail: 'denied' } },
      { type: 'engine.message', data: { text: 'Created a.txt.' } },
      { type: 'engine.usage', data: { input_tokens: 220, output_tokens: 18 } },
    ]);
  });

  test('a failed tool call explains why nothing changed, in spite of what it said', () => {
    const explain = (detail: string) =>
      engine.explainNoChange?.(logs(lines.join('\n').replaceAll('denied', detail), [CALL]));
    expect(explain('denied by policy')).toMatchObject({
      reason: { code: 'tool_call_denied' },
      detail: expect.stringMatching(/denied by policy; it ended with: Created a\.txt\./),
    });
    expect(explain('EACCES: permission denied, open a.txt')).toMatchObject({ reason: { code: 'tool_call_failed' } });
    expect(explain('no such file')).toMatchObject({ reason: { code: 'tool_call_failed' } });
    expect(engine.explainNoChange?.(logs('', []))).toMatchObject({ reason: { text: `${name} did nothing` } });
    expect(engine.explainNoChange?.(logs('', [CALL]))).toBeNull();
  });

  test.each([
    '',
    'null',
    '[]',
    '{',
    '{}',
    '{"type":7}',
    '"text"',
    '{"type":"assistant","message":7}',
    '{"type":"tool_use"}',
  ])('nothing in %j makes it throw', (line) => {
    expect(() => engine.read(line)).not.toThrow();
  });
});

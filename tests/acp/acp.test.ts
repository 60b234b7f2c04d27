import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcpPlace } from '../support/acp-place.ts';

const place = new AcpPlace();
beforeAll(() => place.install());
afterAll(() => place.close());

const PROMPT = 'session/prompt';

describe('an agent that only seatrial.toml describes', () => {
  it('passes, follows, and is listed by engines and doctor', async () => {
    const { code, stderr, report, events } = await place.runAgent(
      {
        [PROMPT]: `
ask_model()
update("plan", entries=[{"content": "write yes", "priority": "high", "status": "pending"}])
update("tool_call", toolCallId="t1", name="write", kind="edit", status="pending", rawInput={"path": "answer.txt"})
write()
update("tool_call_update", toolCallId="t1", status="completed", content=[{"type": "diff", "path": "/workspace/answer.txt", "newText": "yes"}])
say("Created "); say("the fix.")
answer({"stopReason": "end_turn", "usage": {"inputTokens": 20, "outputTokens": 4}})`,
      },
      '--follow',
    );
    expect([code, report.status, report.backend_completion]).toEqual([0, 'pass', 'exited']);
    expect(stderr).toContain('Created the fix.');
    const said = events.filter(({ source }) => source === 'engine').map(({ type, data }) => [type, data]);
    expect(said).toEqual([
      ['engine.session', { id: 's1' }],
      ['plan.updated', { steps: ['write yes'] }],
      ['engine.tool', { name: 'write', detail: '{"path":"answer.txt"}', id: 't1' }],
      ['engine.tool_result', { id: 't1', ok: true, detail: '' }],
      ['engine.edit', { path: '/workspace/answer.txt' }],
      ['engine.message', { text: 'Created the fix.' }],
      ['engine.usage', { input_tokens: 20, output_tokens: 4 }],
    ]);
    const engines = await place.lasting(['engines'], { env: place.env });
    expect(engines.stdout).toMatch(/^acp:mine +eligible/m);
    const doctor = await place.lasting(['doctor'], { env: place.env });
    expect(doctor.stdout).toMatch(/^ready +acp:mine/m);
  });

  it('is told by --retry what was wrong with its first attempt', async () => {
    const work = 'ask_model(); write("yes" if "previous attempt" in json.dumps(asked) else "no"); end()';
    const { code, stderr, report } = await place.runAgent({ [PROMPT]: work }, '--retry', '1');
    expect([code, report.status, report.attempt], stderr + report.blockers.join()).toEqual([0, 'pass', 2]);
  });

  it('is compared with other engines', async () => {
    place.describe({});
    const args = ['compare', '--engines', 'fake,acp:mine', '--tasks', 'answer'];
    const { code, stdout, stderr } = await place.lasting(args, { env: place.env });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^acp:mine +100 %/m);
  });

  it('is refused with the place of the mistake in its profile', async () => {
    writeFileSync(join(place.cwd, 'seatrial.toml'), '[acp.qwen]\nprogram = "x"\nwires = ["openai-chat"]\n');
    const { code, stderr } = await place.lasting(['engines'], { env: place.env });
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/seatrial.toml line 1, column 2: acp\.qwen: this profile ships with Seatrial/),
    ]);
  });
});

describe('a permission request', () => {
  const ASKING = {
    [PROMPT]:
      'ask_model()\nif ask(locations=[{"path": "/workspace/answer.txt"}]) == "yes": write()\nsay("Created it."); end()',
  };
  const answers = (events: readonly { readonly type: string; readonly data: object }[]) =>
    events.filter(({ type }) => type.startsWith('approval.')).map(({ type, data }) => [type, data]);

  it('is granted by the policy, once', async () => {
    const policy = place.policy('[[rules]]\nallow = "edit"\npath = "answer.txt"\n');
    const { code, events } = await place.runAgent(ASKING, '--approvals', policy);
    expect(code).toBe(0);
    expect(answers(events)).toEqual([
      ['approval.requested', { id: 'permission-1', action: 'edit answer.txt' }],
      [
        'approval.granted',
        { id: 'permission-1', action: 'edit answer.txt', by: 'approvals.toml line 1', how: 'policy' },
      ],
    ]);
  });

  it('is denied by the policy, whatever the agent says afterwards', async () => {
    const policy = place.policy('[[rules]]\ndeny = "*"\n');
    const { code, report } = await place.runAgent(ASKING, '--approvals', policy);
    expect([code, report.blockers]).toEqual([
      1,
      expect.arrayContaining(['a tool call of acp:mine was denied: edit answer.txt']),
    ]);
    expect(report.approvals).toMatchObject([{ id: 'permission-1', decision: 'denied', how: 'policy' }]);
  });

  it('is denied without a policy, when nobody can be asked', async () => {
    const { report } = await place.runAgent(ASKING);
    expect(report.approvals).toMatchObject([{ decision: 'denied', how: 'unattended without policy' }]);
  });

  it('waits for `seatrial approve`', async () => {
    const policy = place.policy('[[rules]]\nask = "edit"\n');
    place.describe(ASKING);
    const running = place.startRun('--approvals', policy);
    await running.shows('for an answer to permission-1: edit answer.txt');
    const [runId = ''] = place.runDirs().toSorted().slice(-1);
    const approved = await place.lasting(['approve', runId, 'permission-1'], { env: place.env });
    expect([approved.code, approved.stdout]).toEqual([0, 'permission-1: granted\n']);
    expect((await place.finished(running)).report.status).toBe('pass');
  });

  it('is denied where the agent only offers to be allowed for good', async () => {
    const policy = place.policy('[[rules]]\nallow = "*"\n');
    const only = 'ask_model()\nassert ask(options=[("always", "allow_always"), ("no", "reject_once")]) == "no"\nend()';
    const { report } = await place.runAgent({ [PROMPT]: only }, '--approvals', policy);
    expect(report.approvals).toMatchObject([{ decision: 'denied', how: 'the agent offers no way to allow it once' }]);
  });

  it('that is denied again and again ends the agent', async () => {
    const policy = place.policy('[[rules]]\ndeny = "*"\n');
    const { report } = await place.runAgent(
      { [PROMPT]: 'ask_model()\nwhile True: ask(kind="execute", rawInput={"command": "make"})' },
      '--approvals',
      policy,
    );
    expect([report.status, report.blockers[0]]).toEqual(['fail', 'a tool call of acp:mine was denied: run make']);
    expect(report.approvals).toHaveLength(5);
  });
});

describe('the mode', () => {
  const RULES = '[[rules]]\nallow = "*"\n';
  const STUBBORN =
    'answer({"sessionId": "s1", "modes": {"currentModeId": "free", "availableModes": [{"id": "free", "name": "f"}]}})';

  it('is the one in which the agent asks, where a policy decides, and else the other', async () => {
    const note = { [PROMPT]: 'ask_model()\nwrite()\nsay("mode " + mode)\nend()' };
    const told = async (...flags: string[]) => JSON.stringify((await place.runAgent(note, ...flags)).events);
    expect(await told()).toContain('mode free');
    expect(await told('--approvals', place.policy(RULES))).toContain('mode asking');
  });

  it('that the agent does not offer blocks the run before the instruction', async () => {
    const behaviour = { 'session/new': STUBBORN, [PROMPT]: 'write()\nend()' };
    const { code, report } = await place.runAgent(behaviour, '--approvals', place.policy(RULES));
    expect([code, report.blockers[0]]).toEqual([2, 'acp:mine cannot be put into the mode asking']);
    expect(report.changed_files).toEqual([]);
  });

  it('that the agent changes unasked ends it', async () => {
    const behaviour = {
      [PROMPT]: 'ask_model()\nupdate("current_mode_update", currentModeId="free")\nwrite()\ntime.sleep(60)',
    };
    const { report } = await place.runAgent(behaviour, '--approvals', place.policy(RULES));
    expect([report.status, report.blockers[0]]).toEqual(['fail', 'acp:mine changed its mode to free unasked']);
  });
});

describe('an agent that', () => {
  const broke = (why: string) => `acp:mine broke off the conversation: ${why}`;
  it.each([
    [
      'ends with 0 in its turn',
      { [PROMPT]: 'ask_model()\nwrite()\nsys.exit(0)' },
      broke('it ended before it answered session/prompt'),
    ],
    [
      'ends before it is asked anything',
      { initialize: 'sys.exit(0)' },
      broke('it ended before it answered initialize'),
    ],
    [
      'speaks another version',
      { initialize: 'answer({"protocolVersion": 7})' },
      broke('it speaks version 7 of the protocol, not 1'),
    ],
    [
      'answers with an error',
      {
        [PROMPT]:
          'ask_model()\nwrite()\nsend({"id": asked["id"], "error": {"code": -32603, "message": "out of tokens"}})',
      },
      broke('session/prompt failed'),
    ],
    [
      'sends a message without end',
      { [PROMPT]: 'sys.stdout.write("{" + "x" * (40 << 20))' },
      broke('a message of more than 32 MB'),
    ],
    [
      'runs out of tokens',
      { [PROMPT]: 'ask_model()\nwrite()\nend("max_tokens")' },
      'acp:mine stopped before its turn was over: max_tokens',
    ],
    [
      'exits with 3 after its turn',
      { [PROMPT]: 'ask_model()\nwrite()\nend()\nsys.exit(3)' },
      'acp:mine engine failed with exit code 3',
    ],
  ])('%s fails, for that reason, whatever it wrote', async (_name, behaviour, why) => {
    const { report } = await place.runAgent(behaviour);
    expect([report.status, report.blockers]).toEqual(['fail', expect.arrayContaining([why])]);
  });

  it('says nothing is ended at its time limit', async () => {
    const { report } = await place.runAgent({ initialize: 'time.sleep(600)' }, '--timeout', '3');
    expect(report.blockers).toContain('acp:mine engine failed with exit code 124');
  });

  it('prints garbage, long lines and floods of updates, and stays after its turn, still passes', async () => {
    const noise = `
ask_model()
sys.stdout.write("x" * (40 << 20) + "\\n{}\\n[]\\n{\\"jsonrpc\\": \\"2.0\\", \\"id\\": 99, \\"result\\": 1}\\n\\0\\n")
send({"method": "session/update", "params": 7}); send({"method": "unknown/thing"})
for _ in range(20000): say("x")
send({"id": 1, "method": "fs/read_text_file", "params": {"path": "/etc/passwd"}})
assert json.loads(sys.stdin.readline())["error"]["code"] == -32601
write(); end()
time.sleep(600)`;
    const { report, stderr } = await place.runAgent({ [PROMPT]: noise });
    expect([report.status, report.backend_completion, report.backend_exit_code]).toEqual(['pass', 'turn_over', null]);
    expect(stderr).not.toMatch(/Invalid message|unknown request|Error handling/);
  });

  it('never asks is confined all the same', async () => {
    const secret = join(place.home, 'secret.txt');
    writeFileSync(secret, 'canary-of-the-home');
    const reach = `
ask_model()
seen = []
for path in ${JSON.stringify([place.seen(secret), secret])}:
    try: seen.append(open(path).read())
    except OSError: pass
for path in ${JSON.stringify([join(place.root, 'escaped'), '/usr/escaped', '/etc/escaped'])}:
    try: open(path, "w").write("x"); seen.append(path)
    except OSError: pass
import socket
try: socket.create_connection(("1.1.1.1", 53), 2); seen.append("network")
except OSError: pass
say("seen: " + repr(seen)); write(); end()`;
    const policy = place.policy('[[rules]]\ndeny = "*"\n');
    const { report, events } = await place.runAgent({ [PROMPT]: reach }, '--approvals', policy);
    const said = events.flatMap((event) => (event.type === 'engine.message' ? [event.data.text] : []));
    expect(said).toEqual(['seen: []']);
    expect([report.approvals, existsSync(join(place.root, 'escaped'))]).toEqual([[], false]);
  });
});

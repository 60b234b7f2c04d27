import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../../src/evidence/schema/events.ts';
import { decodeEvents, EVENTS_FILE } from '../../src/evidence/log/events.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/gateway/scripted/server.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import { LastingPlace } from './lasting.ts';
import { type Ended, readReport, type Running, writeBelow } from './seatrial.ts';

/** Speaks the Agent Client Protocol. Its behaviour is Python, run at one moment of a turn or instead of an answer. */
const AGENT = `#!/usr/bin/python3
import json, os, sys, time, urllib.request

if "--version" in sys.argv:
    print("1.0"); sys.exit()

def send(message): sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n"); sys.stdout.flush()
def update(what, **more): send({"method": "session/update", "params": {"sessionId": "s1", "update": {"sessionUpdate": what, **more}}})
def say(text): update("agent_message_chunk", content={"type": "text", "text": text})
def answer(result): send({"id": asked["id"], "result": result})
def ask(kind="edit", options=None, **call):
    options = options or [("always", "allow_always"), ("yes", "allow_once"), ("no", "reject_once")]
    send({"id": "p", "method": "session/request_permission", "params": {"sessionId": "s1",
        "toolCall": {"toolCallId": "t1", "title": "write answer.txt", "kind": kind, **call},
        "options": [{"optionId": name, "name": name, "kind": one} for name, one in options]}})
    return json.loads(sys.stdin.readline())["result"]["outcome"].get("optionId")
def ask_model():
    body = json.dumps({"model": "m1", "messages": [{"role": "user", "content": "x"}]}).encode()
    headers = {"authorization": "Bearer " + os.environ["AGENT_KEY"], "content-type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(os.environ["AGENT_URL"] + "/chat/completions", body, headers)).read()
def write(text="yes"): open("answer.txt", "w").write(text + "\\n")
def end(reason="end_turn"): answer({"stopReason": reason})

mode = "asking"
steps = json.load(open(os.environ["AGENT_HOME"] + "/behaviour.json"))
for line in sys.stdin:
    asked = json.loads(line)
    method = asked.get("method", "")
    if method in steps: exec(steps[method])
    elif method == "initialize": answer({"protocolVersion": 1})
    elif method == "session/new":
        answer({"sessionId": "s1", "modes": {"currentModeId": mode, "availableModes": [{"id": "asking", "name": "a"}, {"id": "free", "name": "f"}]}})
    elif method == "session/set_mode": mode = asked["params"]["modeId"]; answer({})
    elif method == "session/prompt": ask_model(); write(); say("Created "); say("the fix."); end()
`;

/** Python by the method that it answers instead. */
export type Behaviour = Readonly<Record<string, string>>;

export interface AgentRun extends Ended {
  readonly report: Report;
  readonly events: readonly RunEvent[];
}

/** A machine with an admitted agent \`acp:mine\`, which only seatrial.toml describes, and a task that asks for one word. */
export class AcpPlace extends LastingPlace {
  #model: ScriptedModel | null = null;

  async install(): Promise<void> {
    this.#model = await startScriptedModel({ turns: [{ text: 'Done.' }] });
    writeBelow(this.cwd, { 'bin/mine': AGENT });
    chmodSync(join(this.cwd, 'bin/mine'), 0o755);
    this.task('answer');
    this.describe({});
    const flags = ['--model', 'local/m1', '--endpoint-variable', 'MODEL_URL', '--key-variable', 'MODEL_KEY', '--yes'];
    const { code, stderr } = await this.lasting(['admit', 'engine', 'acp:mine', ...flags], { env: this.env });
    if (code !== 0) throw new Error(stderr);
  }

  get model(): ScriptedModel {
    if (this.#model === null) throw new Error('not installed');
    return this.#model;
  }

  get env(): Readonly<Record<string, string>> {
    const PATH = `${this.seen(join(this.cwd, 'bin'))}:${process.env['PATH']}`;
    return { PATH, MODEL_URL: this.model.url, MODEL_KEY: 'canary-key-of-acp-mine' };
  }

  /** The whole adapter of the agent: no code of Seatrial knows it. */
  describe(behaviour: Behaviour, modes = '{ asks = "asking", free = "free" }'): void {
    writeBelow(this.cwd, {
      'seatrial.toml': `[acp.mine]
program = "mine"
wires = ["openai-chat"]
env = { AGENT_URL = "{base_url}", AGENT_KEY = "{key}", AGENT_HOME = "{home}" }
modes = ${modes}
files = { "behaviour.json" = ${JSON.stringify(JSON.stringify(behaviour))} }
`,
    });
  }

  startRun(...flags: string[]): Running {
    const through = ['bwrap', '--dev-bind', '/', '/', '--bind', this.root, '/mnt', '--chdir', this.seen(this.cwd)];
    const env = { HOME: this.seen(this.home), ...this.env };
    return this.start(['run', 'answer', '--engine', 'acp:mine', ...flags], { through, env });
  }

  async runAgent(behaviour: Behaviour, ...flags: string[]): Promise<AgentRun> {
    this.describe(behaviour);
    return this.finished(this.startRun(...flags));
  }

  async finished({ ended }: Running): Promise<AgentRun> {
    const how = await ended;
    const latest = this.runDirs().toSorted().at(-1);
    if (latest === undefined) throw new Error(how.stderr);
    const dir = join(this.runs, latest);
    return { ...how, report: readReport(dir), events: decodeEvents(readFileSync(join(dir, EVENTS_FILE))).entries };
  }

  policy(rules: string): string {
    writeBelow(this.cwd, { 'approvals.toml': rules });
    return 'approvals.toml';
  }

  async close(): Promise<void> {
    await this.#model?.close();
    this.remove();
  }
}

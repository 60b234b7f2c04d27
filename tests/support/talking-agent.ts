import { join } from 'node:path';
import { startScriptedModel } from '../../src/gateway/scripted/server.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import { LastingPlace } from './lasting.ts';
import { CORRECT_SLUGIFY } from './slugify.ts';

const call = (id: string, toolName: string, args: object): object => ({
  type: 'tool_execution_start',
  toolCallId: id,
  toolName,
  args,
});
const answer = (id: string, text: string, isError = false): object => ({
  type: 'tool_execution_end',
  toolCallId: id,
  isError,
  result: { content: [{ type: 'text', text }] },
});
const says = (text: string): object => ({
  type: 'message_end',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
});

/** Two turns with tools and a last word, as Pi prints them. */
const TALK: readonly object[] = [
  { type: 'session', id: 'session-7' },
  says('I look at the file first.'),
  call('t1', 'read', { path: 'strings.py' }),
  call('t2', 'bash', { command: 'ls' }),
  answer('t1', 'def slugify(text): …'),
  answer('t2', 'ls: no such program', true),
  says('Now I write it.'),
  call('t3', 'write', { path: 'strings.py', content: '<script>alert(1)</script>' }),
  answer('t3', 'written'),
  says('Done.'),
];

/** A person with an installed agent that asks its model once, says what it is told to, and solves the task. */
export class TalkingPlace extends LastingPlace {
  readonly path: string;

  constructor(talk: readonly object[] = TALK) {
    super();
    const url = '$(sed -n \'s/.*"baseUrl": "\\(.*\\)".*/\\1/p\' "$PI_CODING_AGENT_DIR/models.json")';
    const question = '{"model":"m1","messages":[{"role":"user","content":"x"}]}';
    const ask = `curl -s "${url}/chat/completions" -H "authorization: Bearer $SEATRIAL_MODEL_KEY" -H 'content-type: application/json' -d '${question}' >/dev/null`;
    const lines = talk.map((line) => JSON.stringify(line)).join('\n');
    const program = this.program(
      'pi',
      `[ "$1" = --version ] && { echo 0.73.1; exit; }\n${ask}\ncat <<'END_OF_TALK'\n${lines}\nEND_OF_TALK\ncat > strings.py <<'END_OF_CODE'\n${CORRECT_SLUGIFY}\nEND_OF_CODE`,
    );
    this.path = `${this.seen(join(program, '..'))}:${process.env['PATH']}`;
  }

  /** Admits the agent with prices, and lets it work. */
  async talk(args: readonly string[] = []): Promise<Report> {
    const model = await startScriptedModel({ turns: [{ text: 'READY' }] });
    try {
      const env = { PATH: this.path, MODEL_URL: model.url };
      const admit = ['admit', 'engine', 'pi', '--model', 'local/m1', '--endpoint-variable', 'MODEL_URL', '--yes'];
      const admitted = await this.lasting(admit, { env });
      if (admitted.code !== 0) throw new Error(admitted.stderr);
      const run = ['run', 'r1-string-slugify', '--engine', 'pi', '--json', ...args];
      const ended = await this.lasting(run, { env });
      return JSON.parse(ended.stdout) as Report;
    } finally {
      await model.close();
    }
  }

  /** The bundle of a run, where this test sees it. */
  bundle(report: Report): string {
    return join(this.runs, report.run_id);
  }
}

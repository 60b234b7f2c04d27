import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ComparisonResult } from '../../src/evidence/comparison/schema.ts';
import { type ScriptedOptions, startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { LastingPlace } from '../support/lasting.ts';

const place = new LastingPlace();
afterAll(() => place.remove());

/** Asks its model about the task, does the task `right` and spoils the task `wrong`. Gives up when the model does. */
const QWEN = `[ "$1" = --version ] && { echo 0.15.0; exit; }
prompt=$(cat)
case "$prompt" in *right*) task=right answer=yes ;; *) task=wrong answer=maybe ;; esac
curl -sf "$OPENAI_BASE_URL/chat/completions" -H "authorization: Bearer $OPENAI_API_KEY" -H 'content-type: application/json' -d '{"model":"m1","messages":[{"role":"user","content":"'$task'"}]}' >/dev/null || exit 1
echo $answer > answer.txt`;

async function compareWith(demand: NonNullable<ScriptedOptions['demand']>): Promise<ComparisonResult> {
  const model = await startScriptedModel(
    { turns: [{ text: 'Go on.', usage: { input_tokens: 100, output_tokens: 10 } }] },
    { demand },
  );
  try {
    const env = { PATH: `${place.seen(join(place.cwd, 'bin'))}:${process.env['PATH']}`, MODEL_URL: model.url };
    const admit = [
      'admit',
      'engine',
      'qwen',
      '--model',
      'local/m1',
      '--endpoint-variable',
      'MODEL_URL',
      '--no-ask',
      '--yes',
    ];
    await place.lasting([...admit, '--update'], { env });
    const args = [
      'compare',
      '--engines',
      'qwen',
      '--model',
      'qwen=local/m1',
      '--tasks',
      './right,./wrong',
      '--repeat',
      '2',
      '--jobs',
      '2',
      '--json',
    ];
    const { stdout, stderr } = await place.lasting(args, { env });
    expect(stdout, stderr).not.toBe('');
    return JSON.parse(stdout) as ComparisonResult;
  } finally {
    await model.close();
  }
}

it('a provider that fails half the time changes no pass rate', async () => {
  place.program('qwen', QWEN);
  place.task('right', { instruction: 'This is right: write yes into answer.txt.\n' });
  place.task('wrong', { instruction: 'Write yes into answer.txt.\n' });
  const healthy = await compareWith(() => null);
  const asked = new Map<string, number>();
  const failing = await compareWith(({ body }) => {
    const task = ['right', 'wrong'].find((name) => JSON.stringify(body['messages']).includes(`"${name}"`));
    // The harness itself asks first whether the model answers.
    if (task === undefined) return null;
    asked.set(task, (asked.get(task) ?? 0) + 1);
    return (asked.get(task) ?? 0) % 2 === 0 ? { status: 503, message: 'overloaded' } : null;
  });
  const of = ({ engines: [qwen] }: ComparisonResult) => qwen;
  expect(of(healthy)).toMatchObject({ passed: 2, failed: 2, not_judged: 0, pass_rate: 0.5 });
  expect(of(failing)).toMatchObject({ passed: 1, failed: 1, not_judged: 2, pass_rate: 0.5 });
  expect(of(failing)?.reasons).toEqual([
    expect.objectContaining({ outcome: 'fail', class: 'work', count: 1 }),
    expect.objectContaining({ outcome: 'not_judged', class: 'provider', code: 'provider_http_error', count: 2 }),
  ]);
  // Two requests of 110 tokens each: the harness's own, and the agent's.
  expect(of(healthy)?.tokens).toEqual({ known: 4, median: 220, total: 880 });
  expect(of(healthy)?.cost_usd).toEqual({ known: 0, median: null, total: null });
}, 600_000);

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Wire } from '../../src/evidence/schema/exchange.ts';
import { startGateway } from '../../src/gateway/process/start.ts';
import { askPort, planFor } from '../../src/gateway/provider.fixture.ts';
import type { GatewayReport } from '../../src/gateway/types.ts';
import { Place, PROJECT, type Running } from '../support/seatrial.ts';

const USER = { role: 'user', content: 'hello' };

let place: Place;
let serving: Running[];
beforeEach(() => {
  place = new Place();
  serving = [];
});
afterEach(async () => {
  for (const { child, ended } of serving) {
    child.kill('SIGINT');
    await ended;
  }
  place.remove();
});

async function serve(script: string, ...args: string[]): Promise<{ readonly url: string; readonly running: Running }> {
  const running = place.start(['model', 'serve', '--script', script, '--json', ...args]);
  serving.push(running);
  const url = new Promise<string>((resolve) => {
    let text = '';
    running.child.stdout?.on('data', (data: string) => {
      text += data;
      const found = /"url": *"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  await running.shows('"url"');
  return { url: await url, running };
}

const ask = async (url: string, body: object): Promise<string> =>
  (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).text();

describe('seatrial model serve', () => {
  test('answers in every wire from the script, and says which turn it used', async () => {
    const { url, running } = await serve(join(PROJECT, 'examples/models/slugify.json'));
    const messages = [{ role: 'user', content: 'hello' }];
    const contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
    const answers = await Promise.all([
      ask(`${url}/chat/completions`, { model: 'm', messages }),
      ask(`${url}/responses`, { model: 'm', input: 'hello', stream: true }),
      ask(`${url}/messages`, { model: 'm', messages, max_tokens: 100 }),
      ask(`${url}beta/models/m:streamGenerateContent?alt=sse`, { contents }),
    ]);
    for (const answer of answers) expect(answer).toContain('cat strings.py');
    await running.shows('/v1beta/models/m:streamGenerateContent  m  turn 1 of 2');
    const next = [...messages, { role: 'assistant', content: 'x' }];
    expect(await ask(`${url}/chat/completions`, { model: 'm', messages: next })).toContain('I have read strings.py.');
  });

  test.each<[Wire, string, object]>([
    ['openai-chat', '/v1/chat/completions', { model: 'm', messages: [USER], stream: true }],
    ['openai-responses', '/v1/responses', { model: 'm', input: 'hello', stream: true }],
    ['anthropic-messages', '/v1/messages', { model: 'm', messages: [USER], max_tokens: 100, stream: true }],
    [
      'gemini',
      '/v1beta/models/m:streamGenerateContent?alt=sse',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    ],
  ])('stands in for a provider of %s behind the gateway', async (wire, path, body) => {
    const { url, running } = await serve(join(PROJECT, 'examples/models/slugify.json'));
    const reports: GatewayReport[] = [];
    const gateway = await startGateway(
      { ...planFor(wire === 'gemini' ? `${url}beta` : url), wire, runtimeModel: 'm', upstreamModel: 'm' },
      {
        socketPath: join(place.cwd, 'socket'),
        tcp: true,
        extraCaCerts: null,
        onReport: (report) => reports.push(report),
      },
    );
    try {
      const answer = await askPort(gateway.port!, body, { path });
      expect(answer.body.toString()).toContain('cat strings.py');
      const refused = await askPort(gateway.port!, { ...body, tools: [{ type: 'web_search' }] }, { path });
      expect(refused.status).toBe(403);
      await running.shows('turn 1 of 2');
    } finally {
      await gateway.close();
    }
    expect(reports).toMatchObject([
      { exchange: { wire, ended: 'complete', shape: 'tool_calls' } },
      { kind: 'refused' },
    ]);
  });

  test('makes the faults that a script asks for', async () => {
    const script = join(place.cwd, 'faults.json');
    writeFileSync(script, JSON.stringify({ turns: [{ fault: { http_status: 429 } }] }));
    const { url } = await serve(script);
    const refused = await fetch(`${url}/messages`, { method: 'POST', body: '{"model":"m","messages":[]}' });
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('scripted error')]);
  });

  test('Ctrl-C ends it with exit code 0', async () => {
    const { running } = await serve(join(PROJECT, 'examples/models/slugify.json'));
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  test('a port in use, a missing script and a wrong one get one sentence each', async () => {
    const { url } = await serve(join(PROJECT, 'examples/models/slugify.json'));
    const script = join(place.cwd, 'wrong.json');
    writeFileSync(script, '{"turns": [{"txt": "hello"}]}');
    const said = async (...args: string[]): Promise<readonly unknown[]> => {
      const { code, stderr } = await place.seatrial(['model', 'serve', ...args]);
      return [code, stderr];
    };
    const used = ['--script', join(PROJECT, 'examples/models/slugify.json'), '--port', new URL(url).port];
    expect(await said(...used)).toEqual([64, expect.stringMatching(/^seatrial: port \d+ is in use; choose another/)]);
    expect(await said('--script', 'nothing.json')).toEqual([64, expect.stringMatching(/^seatrial: .*nothing\.json/)]);
    expect(await said('--script', script)).toEqual([64, expect.stringContaining('unknown key txt')]);
    expect(await said()).toEqual([64, expect.stringContaining('--script')]);
  });
});

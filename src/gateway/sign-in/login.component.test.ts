import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answered,
  gateway,
  planFor,
  provider,
  type Received,
  sendAnswer,
  type TestGateway,
} from '../provider.fixture.ts';
import { chatGptDemand } from '../scripted/chatgpt-demands.ts';
import { unsignedToken } from './claims.ts';
import type { LoginHeaders } from './headers.ts';
import { readSignIn, type SignIn, signInTargetFault } from './read.ts';

const dir = mkdtempSync(join(tmpdir(), 'seatrial-login-'));
const path = join(dir, 'auth.json');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SOON = Date.now() + 3_600_000;
const tokenOf = (id: string, expiresAt = SOON): string =>
  unsignedToken({ accountId: `account-${id}`, issuedAt: 0, expiresAt, id });

function signIn(id: string, expiresAt = SOON): string {
  const token = tokenOf(id, expiresAt);
  const tokens = { id_token: token, access_token: token, refresh_token: `refresh-${id}`, account_id: `account-${id}` };
  writeFileSync(path, JSON.stringify({ auth_mode: 'chatgpt', tokens }));
  return token;
}

const SIGN_IN: SignIn = { program: 'codex', place: { kind: 'file', path } };
const HEADERS: LoginHeaders = { names: ['originator', 'x-codex-*'], betas: [] };
const ANSWER = JSON.stringify({ output: [{ type: 'message', content: [{ type: 'output_text', text: 'hi' }] }] });
const QUESTION = {
  model: 'scripted',
  stream: false,
  max_output_tokens: 100,
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
  ],
};

async function open(answer = (_asked: Received): string => ANSWER, status = 200) {
  const upstream = await provider((_request, response, _body) => {
    const asked = upstream.received.at(-1);
    if (status !== 200) return void response.writeHead(status).end('{}');
    sendAnswer(response, asked === undefined ? '' : answer(asked));
  });
  const baseUrl = upstream.baseUrl.replace('/v1', '/backend-api/codex');
  const plan = planFor(baseUrl, {
    upstream: { baseUrl, key: SIGN_IN },
    wire: 'openai-responses',
    loginHeaders: HEADERS,
  });
  return { upstream, opened: await gateway(plan) };
}

const ask = (opened: TestGateway, headers: Record<string, string> = {}): Promise<Answered> =>
  opened.ask(QUESTION, { path: '/v1/responses', headers });

beforeEach(() => void signIn('first'));

describe("a program's own sign-in", () => {
  it('is added to each request, with what its provider demands, and only headers of the list pass', async () => {
    const { upstream, opened } = await open();
    await ask(opened, {
      originator: 'codex_exec',
      'x-codex-window-id': 'w1',
      'x-other': 'dropped',
      'chatgpt-account-id': 'stand-in',
      cookie: 'a=b',
    });
    const [received] = upstream.received;
    expect(received?.url).toBe('/backend-api/codex/responses');
    expect(received?.headers).toMatchObject({
      authorization: `Bearer ${tokenOf('first')}`,
      'chatgpt-account-id': 'account-first',
      originator: 'codex_exec',
      'x-codex-window-id': 'w1',
      'user-agent': 'seatrial',
    });
    expect(received?.headers).not.toHaveProperty('x-other');
    expect(received?.headers).not.toHaveProperty('cookie');
    expect(JSON.parse(received?.body ?? '')).toMatchObject({
      store: false,
      instructions: 'Be brief.',
      input: [{ role: 'user' }],
    });
    expect(received?.body).not.toContain('max_output_tokens');
  });

  it('names no other program where the engine names none', async () => {
    const { upstream, opened } = await open();
    await ask(opened);
    expect(upstream.received[0]?.headers['originator']).toBe('seatrial');
  });

  it('is read again at each request, and no token of it comes back, whichever the provider echoes', async () => {
    const echo = ({ headers }: Received): string =>
      JSON.stringify({
        output: [{ type: 'message', content: [{ text: `${headers.authorization} ${tokenOf('first')}` }] }],
      });
    const { upstream, opened } = await open(echo);
    await ask(opened);
    const renewed = signIn('second');
    const answer = await ask(opened);
    expect(upstream.received.map(({ headers }) => headers['chatgpt-account-id'])).toEqual([
      'account-first',
      'account-second',
    ]);
    const seen = [answer.body.toString(), JSON.stringify(await opened.reported(2))].join('\n');
    for (const token of [tokenOf('first'), renewed]) expect(seen).not.toContain(token);
  });

  it.each([
    ['has expired', () => void signIn('first', Date.now() - 1000), 'login_expired', /codex login/],
    ['is gone', () => rmSync(path), 'login_missing', /codex login/],
    ['is half written', () => writeFileSync(path, '{"tokens": {'), 'login_missing', /codex login/],
    ['holds an API key alone', () => writeFileSync(path, '{"OPENAI_API_KEY": "x"}'), 'login_missing', /codex login/],
  ])('that %s ends the run with the command that renews it, and nothing is sent', async (_what, change, code, text) => {
    const { upstream, opened } = await open();
    change();
    const { status } = await ask(opened);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(opened.fatal).toEqual([code]);
    expect(opened.refusals[0]).toMatch(text);
    expect(upstream.received).toEqual([]);
  });

  it('that the provider refuses ends the run at once', async () => {
    const { opened } = await open(undefined, 401);
    await ask(opened);
    await opened.reported(1);
    expect(opened.fatal).toEqual(['login_refused']);
  });

  it('is never read from a pipe, and a token that would break a header is refused', () => {
    writeFileSync(path, JSON.stringify({ tokens: { access_token: 'a\r\nx-evil: 1', account_id: 'a' } }));
    expect(readSignIn(SIGN_IN, 0)).toMatchObject({ kind: 'unusable' });
    expect(readSignIn({ program: 'codex', place: { kind: 'file', path: dir } }, 0)).toMatchObject({ kind: 'unusable' });
  });
});

it.each(['https://chatgpt.com/backend-api/codex', 'http://127.0.0.1:8000/v1'])(
  'a login of codex may be sent to %s',
  (url) => {
    expect(signInTargetFault('codex', url)).toBeNull();
  },
);

it.each([
  'http://chatgpt.com/backend-api/codex',
  'https://chatgpt.com:8443/',
  'https://chatgpt.com.evil.example/',
  'https://api.openai.com/v1',
])('a login of codex may not be sent to %s', (url) => {
  expect(signInTargetFault('codex', url)).toMatch(/its own provider/);
});

it('a plan that would send a login elsewhere is refused', async () => {
  const { planFault } = await import('../plan-fault.ts');
  const upstream = { baseUrl: 'https://elsewhere.example/v1', key: SIGN_IN };
  expect(planFault(planFor(null, { upstream }))).toMatch(/its own provider/);
});

describe('the upstream of the check', () => {
  const LOGIN = { token: 't', accountId: 'a' };
  const GOOD = {
    wire: 'openai-responses' as const,
    path: '/backend-api/codex/responses',
    headers: { authorization: 'Bearer t', 'chatgpt-account-id': 'a', originator: 'seatrial' },
    body: { store: false, stream: true, input: [] },
  };

  it('answers a request that has all that it demands', () => {
    expect(chatGptDemand(GOOD, LOGIN)).toBeNull();
  });

  it.each([
    ['another path', { path: '/v1/responses' }, 400],
    ['another token', { headers: { ...GOOD.headers, authorization: 'Bearer stand-in' } }, 401],
    ['no account', { headers: { authorization: 'Bearer t', originator: 'x' } }, 400],
    ['no originator', { headers: { authorization: 'Bearer t', 'chatgpt-account-id': 'a' } }, 400],
    ['a stored answer', { body: { ...GOOD.body, store: true } }, 400],
    ['no stream', { body: { ...GOOD.body, stream: false } }, 400],
    ['an output limit', { body: { ...GOOD.body, max_output_tokens: 1 } }, 400],
    ['a system message', { body: { ...GOOD.body, input: [{ role: 'system', content: 'x' }] } }, 400],
  ])('refuses %s', (_what, change, status) => {
    expect(chatGptDemand({ ...GOOD, ...change }, LOGIN)).toMatchObject({ status });
  });
});

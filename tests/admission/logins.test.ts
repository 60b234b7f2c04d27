import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RehearsedLogin, rehearseLogin } from '../../src/engines/sign-in/login.fixture.ts';
import { CHATGPT_PATH } from '../../src/gateway/scripted/chatgpt-demands.ts';
import { unsignedToken } from '../../src/gateway/sign-in/claims.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { LastingPlace } from '../support/lasting.ts';
import { writeBelow } from '../support/seatrial.ts';

let place: LastingPlace;
let login: RehearsedLogin;
let path: string;
let env: Record<string, string>;

/** Asks its model once, as Codex does, with the token of its own file, and prints the answer. */
const CODEX = `[ "$1" = --version ] && { echo codex-cli 0.166.0; exit; }
token=$(sed -n 's/.*"access_token": "\\(.*\\)".*/\\1/p' "$CODEX_HOME/auth.json")
base=$(printf '%s\\n' "$@" | sed -n 's/.*base_url="\\([^"]*\\)",requires_openai_auth=true.*/\\1/p')
curl -s "$base/responses" -H "authorization: Bearer $token" -H 'originator: codex_exec' -H 'content-type: application/json' \\
  -d '{"model":"gpt-5.5","store":false,"stream":true,"input":[{"role":"user","content":"x"}]}'
cat "$CODEX_HOME/auth.json"; env
echo 'def slugify(text): return text' > strings.py`;

beforeEach(() => {
  place = new LastingPlace();
  login = rehearseLogin('codex', place.cwd);
  const program = place.program('codex', CODEX);
  path = `${place.seen(join(program, '..'))}:${process.env['PATH']}`;
  env = { PATH: path, CODEX_HOME: place.seen(join(place.cwd, 'signed-in')) };
});
afterEach(() => place.remove());

const admit = (...flags: string[]) =>
  place.lasting(['admit', 'engine', 'codex', '--model', 'gpt-5.5', '--login', ...flags], { env });

describe('admitting a login', () => {
  it('needs more than --yes: the terms are shown, and must be accepted by name', async () => {
    const refused = await admit('--yes');
    expect(refused.code).toBe(64);
    expect(refused.stderr).toMatch(/sign-in of codex[^]*only reads it[^]*OpenAI[^]*--accept-terms/);
    const admitted = await admit('--yes', '--accept-terms');
    expect([admitted.code, admitted.stdout]).toEqual([
      0,
      expect.stringContaining('admitted model openai-codex / gpt-5.5 for codex'),
    ]);
    const [file = ''] = readdirSync(place.admissions).filter((name) => name.includes('MODEL'));
    const text = readFileSync(join(place.admissions, file), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ login: 'codex', key_variable: null });
    for (const secret of login.secrets) expect(text + admitted.stdout + refused.stderr).not.toContain(secret);
  });

  it.each([
    [['admit', 'engine', 'gemini', '--model', 'flash', '--login'], /gemini takes keys only/],
    [
      ['admit', 'engine', 'codex', '--model', 'openai-codex/gpt-5.5'],
      /openai-codex takes a login, not a key; give --login/,
    ],
    [
      'admit model --engine qwen --provider dashscope --model m --wire openai-chat --login codex'.split(' '),
      /qwen takes keys only/,
    ],
    [
      'admit model --engine pi --provider anthropic --model m --wire anthropic-messages --login claude'.split(' '),
      /pi uses a login for openai-codex only; anthropic takes a key/,
    ],
    [
      'admit model --engine codex --provider openai-codex --model m --wire openai-responses --login codex --key-variable K'.split(
        ' ',
      ),
      /a key variable or a login, not both/,
    ],
  ])('%j says what is wrong', async (args, sentence) => {
    const { code, stderr } = await place.lasting([...args, '--yes', '--accept-terms'], { env });
    expect([code, stderr]).toEqual([64, expect.stringMatching(sentence)]);
  });
});

describe('a run with a login', () => {
  let model: ScriptedModel;
  beforeEach(async () => {
    model = await startScriptedModel({ turns: [{ text: 'Done.' }] }, { demand: login.demand });
    env['CODEX_URL'] = new URL(CHATGPT_PATH, model.url).href;
    await admit('--endpoint-variable', 'CODEX_URL', '--yes', '--accept-terms');
  });
  afterEach(() => model.close());

  it('reaches a provider that demands it, warns of its expiry, and keeps nothing of it', async () => {
    const ended = await place.lasting(['run', 'r1-string-slugify', '--engine', 'codex', '--timeout', '7200'], { env });
    expect(ended.stderr).toMatch(/note: the login expires at \S+, before the time limit of 7200 s/);
    expect(model.requests).toHaveLength(1);
    const [run = ''] = readdirSync(place.runs).filter((name) => name.includes('slugify'));
    const kept = readdirSync(join(place.runs, run), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    const all = [...kept, ended.stdout, ended.stderr].join('\n');
    expect(all).toContain('Done.');
    for (const secret of [...login.secrets, new URL(model.url).host]) expect(all).not.toContain(secret);
  });

  it.each([
    [{ auth_mode: 'chatgpt', tokens: { access_token: expiredToken(), account_id: 'a' } }, 'login_expired'],
    [{}, 'login_missing'],
  ])('is blocked before the agent starts, with the command that renews it: %#', async (content, code) => {
    writeBelow(place.cwd, { 'signed-in/auth.json': JSON.stringify(content) });
    const ended = await place.lasting(['run', 'r1-string-slugify', '--engine', 'codex', '--json'], { env });
    expect(ended.code).toBe(2);
    const report = JSON.parse(ended.stdout);
    expect(report).toMatchObject({ blocker_codes: [code], backend_process_started: false });
    expect(report.failure_reason).toContain('codex login');
  });

  it('that expires while the agent works ends the run: blocked, with the command that renews it, and the work is kept', async () => {
    const again = CODEX.split('\n').filter((line) => /^(?:curl|  -d)/.test(line));
    place.program('codex', [CODEX, ...again, 'sleep 600'].join('\n'));
    await model.close();
    model = await startScriptedModel(
      { turns: [{ text: 'Done.' }] },
      {
        demand: (request) => {
          const fault = login.demand(request);
          const tokens = { access_token: expiredToken(), account_id: 'a' };
          writeBelow(place.cwd, { 'signed-in/auth.json': JSON.stringify({ auth_mode: 'chatgpt', tokens }) });
          return fault;
        },
      },
    );
    env['CODEX_URL'] = new URL(CHATGPT_PATH, model.url).href;
    await admit('--endpoint-variable', 'CODEX_URL', '--yes', '--accept-terms', '--update');
    const ended = await place.lasting(['run', 'r1-string-slugify', '--engine', 'codex', '--json'], { env });
    const report = JSON.parse(ended.stdout);
    expect([ended.code, report.failure_reason]).toEqual([
      2,
      expect.stringMatching(/login of codex expired; .*codex login/),
    ]);
    expect(report).toMatchObject({ backend_process_started: true, changed_files: ['strings.py'] });
    expect(model.requests).toHaveLength(1);
  });

  it('is refused where the address is not the provider, whatever the record says', async () => {
    env['CODEX_URL'] = 'https://elsewhere.example/v1';
    const ended = await place.lasting(['run', 'r1-string-slugify', '--engine', 'codex', '--json'], { env });
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'blocked', failure_reason: 'provider unavailable' });
    expect(ended.code).toBe(2);
  });
});

function expiredToken(): string {
  return unsignedToken({ accountId: 'a', issuedAt: 0, expiresAt: 1000, id: 'x' });
}

it('doctor says which sign-ins there are and when they expire, and nothing else of them', async () => {
  const { stdout } = await place.lasting(['doctor'], { env });
  expect(stdout).toMatch(/codex, .*signed in until \d{4}-\d\d-\d\dT\S+Z/);
  for (const secret of login.secrets) expect(stdout).not.toContain(secret);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SLUGIFY_SCRIPTS } from '../../src/engines/case/self-test/slugify.ts';
import { unsignedToken } from '../../src/gateway/sign-in/claims.ts';
import { CHATGPT_PATH, chatGptDemand } from '../../src/gateway/scripted/chatgpt-demands.ts';
import { startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { CasePlace } from '../support/case-place.ts';
import { writeBelow } from '../support/seatrial.ts';

const SCRIPT = 'commits, then the verifier hangs';
const RUN = ['run', 'r1-string-slugify', '--engine', 'case', '--json'];

test('case starts with openai-codex once the bridge is shown with its program, and not by words', async () => {
  const accountId = 'account-of-case';
  const token = unsignedToken({ accountId, issuedAt: 0, expiresAt: Date.now() + 3_600_000, id: 'case' });
  const place = await CasePlace.open(SCRIPT);
  const model = await startScriptedModel(SLUGIFY_SCRIPTS[SCRIPT], {
    demand: (request) => chatGptDemand(request, { token, accountId }),
  });
  const tokens = { access_token: token, account_id: accountId, refresh_token: 'r' };
  writeBelow(place.cwd, { 'codex/auth.json': JSON.stringify({ auth_mode: 'chatgpt', tokens }) });
  const env = place.env({
    CTO_HARNESS_CASE_MODEL_PROVIDER: 'openai-codex',
    CTO_HARNESS_CASE_MODEL: 'gpt-5.5',
    CODEX_HOME: join(place.cwd, 'codex'),
    CODEX_URL: new URL(CHATGPT_PATH, model.url).href,
  });
  const call = (...args: string[]) => place.seatrial(args, { env });
  const admit = (flags: string) =>
    call(
      ...`admit model --engine case --provider openai-codex --model gpt-5.5 --runtime-provider openai ${flags}`.split(
        ' ',
      ),
      ...'--wire openai-responses --endpoint-variable CODEX_URL --yes --accept-terms'.split(' '),
    );
  try {
    expect(await admit('--login codex')).toMatchObject({ code: 0 });
    const before = await call(...RUN);
    expect(JSON.parse(before.stdout)).toMatchObject({
      blocker_codes: ['auth_bridge_unavailable'],
      case_process_started: false,
    });
    const engines = await call('engines');
    expect(engines.stdout).toContain('seatrial check auth-bridge openai-codex');
    expect(await call('check', 'auth-bridge', 'openai-codex', '--jobs', '2')).toMatchObject({ code: 0 });
    const after = await call(...RUN);
    expect(JSON.parse(after.stdout)).toMatchObject({
      status: 'pass',
      case_model_provider: 'openai-codex',
      case_process_started: true,
    });
    expect(model.requests.length).toBeGreaterThan(0);
  } finally {
    await model.close();
    await place.leave();
  }
});

import { reason } from '../../../evidence/reasons/catalogue.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import { SIGN_IN } from '../../../evidence/schema/sign-in.ts';
import { SIGN_INS } from '../../../gateway/sign-in/programs.ts';
import type { Expected, ExpectedReason, LoginTrial, Scenario } from '../../self-test.ts';
import { blocks, fails, passes } from './adapter.ts';
import { bridgedSetting } from './setting.ts';
import { SLUGIFY_SCRIPTS } from './slugify.ts';

const CODEX_LOGIN = { program: SIGN_IN.codex, renew: SIGN_INS.codex.renew };
const GOOD = SLUGIFY_SCRIPTS['commits, then the verifier hangs'];

/** The engine had begun; its work is kept, and nothing of the login is in the bundle. */
const stopped = (wanted: ExpectedReason): Expected => ({
  reason: wanted,
  event: 'model.refused',
  status: 'blocked',
  exit: EXIT.blocked,
  says: /started true.*changed strings\.py.*leaks 0/,
});

const bridged = (name: string, login: LoginTrial, expected: Expected, script = GOOD): Scenario => ({
  name,
  script,
  login,
  change: bridgedSetting,
  expected,
});

const WORKS = passes(
  /started true; completion completed_by_harness; model openai-codex\/gpt-5\.5 as openai admitted.*leaks 0/,
);

/** A login reaches the requests of Case through the gateway, at an upstream that demands what the ChatGPT backend demands. */
export const BRIDGE_SCENARIOS: readonly Scenario[] = [
  bridged('login_reaches_the_provider', { at_start: 'valid' }, WORKS),
  bridged('renewed_login_is_used_at_once', { at_start: 'valid', later: { after: 2, what: 'renewed' } }, WORKS),
  bridged('absent_login_blocks', { at_start: 'absent' }, blocks(reason('login_missing', CODEX_LOGIN))),
  bridged('expired_login_blocks', { at_start: 'expired' }, blocks(reason('login_expired', CODEX_LOGIN))),
  bridged(
    'login_that_expires_keeps_the_work',
    { at_start: 'valid', later: { after: 2, what: 'expired' } },
    stopped(reason('login_expired', CODEX_LOGIN)),
  ),
  bridged(
    'revoked_login_keeps_the_work',
    { at_start: 'valid', later: { after: 2, what: 'revoked' } },
    stopped(reason('login_refused', CODEX_LOGIN)),
  ),
  bridged(
    'other_model_answered_fails',
    { at_start: 'valid' },
    {
      ...fails(reason('other_model_answered', { model: 'another-model' }), /started true.*leaks 0/),
      event: 'model.request',
    },
    SLUGIFY_SCRIPTS['is another model'],
  ),
];

import { expect, it } from 'vitest';
import { claimsOf } from '../../gateway/sign-in/claims.ts';
import { SIGN_INS } from '../../gateway/sign-in/programs.ts';
import { chooseEngine } from '../list.ts';
import { standInLogin } from './stand-in.ts';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const DAY_MS = 86_400_000;

function filesOf(engine: string, program: 'codex' | 'pi') {
  const standIn = standInLogin(program, NOW);
  const launch = chooseEngine(engine).launch({
    contract: { instruction: 'x' } as never,
    at: (path) => path,
    attempt: 'a',
    startedAt: new Date(NOW).toISOString(),
    program: '/bin/x',
    asks: false,
    model: {
      origin: 'http://127.0.0.1:4010',
      key: standIn.token,
      standIn,
      wire: 'openai-responses',
      provider: 'openai-codex',
      name: 'gpt-5.5',
      helpers: [],
      maxOutputTokens: null,
    },
  });
  if ('refused' in launch) throw new Error(launch.refused.text);
  return { standIn, launch, auth: launch.files[`${engine}/auth.json`] ?? '' };
}

it.each(['codex', 'pi'] as const)(
  'the file that %s sees reads like its own sign-in, far from its expiry',
  (program) => {
    const { standIn, launch, auth } = filesOf(program, program);
    expect(SIGN_INS[program].read(auth)).toMatchObject({ token: standIn.token, accountId: standIn.accountId });
    expect(claimsOf(standIn.token)).toEqual({ accountId: standIn.accountId, expiresAt: standIn.expiresAt });
    expect(standIn.expiresAt - NOW).toBeGreaterThan(8 * DAY_MS);
    expect(standIn.token.split('.').every((part) => part !== '')).toBe(true);
    expect(JSON.stringify(launch.env)).not.toContain(standIn.token);
    expect(JSON.stringify(launch.argv)).not.toContain(standIn.token);
  },
);

it('codex sees a refresh of just now', () => {
  expect(JSON.parse(filesOf('codex', 'codex').auth)).toMatchObject({
    auth_mode: 'chatgpt',
    last_refresh: '2026-11-16T12:00:00.000Z',
  });
});

it('every run has another token', () => {
  expect(standInLogin('codex', NOW).token).not.toBe(standInLogin('codex', NOW).token);
  expect(standInLogin('claude', NOW).token).toMatch(/^sk-ant-oat01-/);
});

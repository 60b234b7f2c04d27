import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoginTrial } from '../engines/self-test.ts';
import { SIGN_IN, type SignInName } from '../evidence/schema/sign-in.ts';
import { unsignedToken } from '../gateway/sign-in/claims.ts';
import { CHATGPT_PATH, chatGptDemand } from '../gateway/scripted/chatgpt-demands.ts';
import type { ScriptedOptions } from '../gateway/scripted/server.ts';

/** A sign-in that exists for one scenario, and the upstream's view of it. */
export interface PlayedLogin {
  readonly program: SignInName;
  /** Where the program's sign-in is looked for. */
  readonly env: Readonly<Record<string, string>>;
  readonly demand: NonNullable<ScriptedOptions['demand']>;
  /** Values that must be in no file of the bundle. */
  readonly secrets: readonly string[];
  baseUrl(modelUrl: string): string;
}

const HOUR_MS = 60 * 60 * 1000;

/** Writes a sign-in of Codex below `scratch`, and changes it as the trial says while the run goes on. */
export function playLogin({ at_start: atStart, later }: LoginTrial, scratch: string): PlayedLogin {
  const home = join(scratch, 'codex-home');
  mkdirSync(home);
  const [first, second] = [makeLogin(), makeLogin()];
  if (atStart !== 'absent') writeLogin(home, atStart === 'expired' ? expired(first) : first);
  let valid = first;
  let answered = 0;
  const change = (): void => {
    switch (later?.what) {
      case 'renewed':
        valid = second;
        return writeLogin(home, second);
      case 'expired':
        return writeLogin(home, expired(first));
      case 'revoked':
        valid = second;
        return;
      case undefined:
    }
  };
  return {
    program: SIGN_IN.codex,
    env: { CODEX_HOME: home },
    demand: (request) => {
      const fault = chatGptDemand(request, { token: tokenOf(valid), accountId: valid.accountId });
      if (fault === null) answered += 1;
      if (fault === null && answered === later?.after) change();
      return fault;
    },
    secrets: [first, second].flatMap((login) => [tokenOf(login), login.accountId, login.refresh]),
    baseUrl: (modelUrl) => new URL(CHATGPT_PATH, modelUrl).href,
  };
}

interface MadeLogin {
  readonly accountId: string;
  readonly refresh: string;
  readonly id: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

function makeLogin(): MadeLogin {
  const now = Date.now();
  const id = randomBytes(16).toString('hex');
  return { accountId: randomUUID(), refresh: `refresh-${id}`, id, issuedAt: now, expiresAt: now + HOUR_MS };
}

const expired = (login: MadeLogin): MadeLogin => ({ ...login, expiresAt: login.issuedAt - HOUR_MS });
const tokenOf = (login: MadeLogin): string => unsignedToken(login);

/** By rename, as programs renew it: the gateway must never read half of it. */
function writeLogin(home: string, login: MadeLogin): void {
  const token = tokenOf(login);
  const tokens = { id_token: token, access_token: token, refresh_token: login.refresh, account_id: login.accountId };
  const path = join(home, 'auth.json');
  const text = JSON.stringify({
    auth_mode: 'chatgpt',
    OPENAI_API_KEY: null,
    tokens,
    last_refresh: new Date().toISOString(),
  });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

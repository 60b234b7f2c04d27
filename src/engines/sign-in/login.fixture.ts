import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignInName } from '../../evidence/schema/sign-in.ts';
import { unsignedToken } from '../../gateway/sign-in/claims.ts';
import { SIGN_INS } from '../../gateway/sign-in/programs.ts';
import { CHATGPT_PATH, chatGptDemand } from '../../gateway/scripted/chatgpt-demands.ts';
import type { RequestFault, ScriptedRequest } from '../../gateway/scripted/server.ts';

/** A sign-in of a program, and an upstream that demands it. */
export interface RehearsedLogin {
  readonly program: SignInName;
  readonly provider: string;
  readonly env: Readonly<Record<string, string>>;
  /** Below the scripted model's address. */
  readonly path: string;
  readonly demand: (request: ScriptedRequest) => RequestFault | null;
  /** Must be in no byte of a bundle. */
  readonly secrets: readonly string[];
}

const HOUR_MS = 60 * 60 * 1000;

/** Signs in: writes the program's own file below `scratch`, or sets its variable. */
export function rehearseLogin(program: SignInName, scratch: string): RehearsedLogin {
  const { provider } = SIGN_INS[program];
  const about = { program, provider };
  const now = Date.now();
  const accountId = 'canary-account-7a11';
  const refresh = 'canary-refresh-5b72';
  const token = unsignedToken({ accountId, issuedAt: now, expiresAt: now + HOUR_MS, id: 'canary-id-19c4' });
  const home = join(scratch, 'signed-in');
  const secrets = [token, accountId, refresh];
  switch (program) {
    case 'claude': {
      const oauth = 'sk-ant-oat01-canary-token-83ce';
      const env = { CLAUDE_CODE_OAUTH_TOKEN: oauth };
      return { ...about, env, path: '', demand: (request) => claudeDemand(request, oauth), secrets: [oauth] };
    }
    case 'codex': {
      const tokens = { id_token: token, access_token: token, refresh_token: refresh, account_id: accountId };
      writeAuth(home, {
        auth_mode: 'chatgpt',
        OPENAI_API_KEY: null,
        tokens,
        last_refresh: new Date(now).toISOString(),
      });
      const demand = chatGpt(/^codex_/, { token, accountId });
      return { ...about, env: { CODEX_HOME: home }, path: CHATGPT_PATH, demand, secrets };
    }
    case 'pi': {
      const login = { type: 'oauth', access: token, refresh, expires: now + HOUR_MS, accountId };
      writeAuth(home, { 'openai-codex': login });
      const demand = chatGpt(/^pi$/, { token, accountId });
      return { ...about, env: { PI_CODING_AGENT_DIR: home }, path: CHATGPT_PATH, demand, secrets };
    }
    default:
      return program satisfies never;
  }
}

function writeAuth(home: string, content: object): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'auth.json'), JSON.stringify(content), { mode: 0o600 });
}

/** The program also names itself, and nothing names it in its place. */
function chatGpt(originator: RegExp, login: Parameters<typeof chatGptDemand>[1]): RehearsedLogin['demand'] {
  return (request) =>
    originator.test(String(request.headers['originator']))
      ? chatGptDemand(request, login)
      : { status: 400, message: 'originator is not the program' };
}

function claudeDemand({ headers }: ScriptedRequest, token: string): RequestFault | null {
  if (headers.authorization !== `Bearer ${token}` || headers['x-api-key'] !== undefined)
    return { status: 401, message: 'invalid token' };
  const isClaude =
    /oauth-2025-04-20/.test(String(headers['anthropic-beta'])) &&
    headers['x-app'] === 'cli' &&
    String(headers['user-agent']).startsWith('claude-cli/');
  return isClaude ? null : { status: 400, message: 'this token is for Claude Code' };
}

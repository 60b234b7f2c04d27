import { join } from 'node:path';
import type { SignInName } from '../../evidence/schema/sign-in.ts';
import { isObject, type JsonObject, objectIn, parseJson, textIn } from '../exchange/json.ts';
import { claimsOf } from './claims.ts';

/** Where a program's sign-in is kept. A variable's content is passed on, because the gateway has no environment. */
export type SignInPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'variable'; readonly variable: string; readonly value: string };

/** What a program's own sign-in left. */
export interface SignedIn {
  readonly token: string;
  readonly accountId: string | null;
  /** In milliseconds; null: unknown. */
  readonly expiresAt: number | null;
  /** Every value that must not be stored or shown, by name. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Everything that differs between the programs whose sign-in can be used. */
export interface SignInRules {
  /** The only provider that receives it, and its host. */
  readonly provider: string;
  readonly host: string;
  /** The command that signs in again. */
  readonly renew: string;
  place(env: Readonly<Record<string, string | undefined>>): SignInPlace;
  /** A text says what is wrong, without quoting the content. */
  read(content: string): SignedIn | string;
  headers(signedIn: SignedIn): Readonly<Record<string, string>>;
  /** Added where the client sends none. */
  readonly usualHeaders: Readonly<Record<string, string>>;
  /** What a person should know before they admit it. */
  readonly terms: readonly string[];
}

const CHATGPT = {
  provider: 'openai-codex',
  host: 'chatgpt.com',
  headers: ({ token, accountId }: SignedIn) => ({
    authorization: `Bearer ${token}`,
    ...(accountId === null ? {} : { 'chatgpt-account-id': accountId }),
  }),
  usualHeaders: { originator: 'seatrial' },
  terms: [
    'OpenAI publishes no terms about local gateways in front of a ChatGPT sign-in. Its documentation recommends an API key',
    'for automation ("If a Platform API key works for your automation, keep using API key auth").',
    'Requests count against the limits of your ChatGPT plan.',
  ],
};

export const SIGN_INS: Readonly<Record<SignInName, SignInRules>> = {
  codex: {
    ...CHATGPT,
    renew: 'codex login',
    place: (env) => ({
      kind: 'file',
      path: join(env['CODEX_HOME'] || join(env['HOME'] ?? '/', '.codex'), 'auth.json'),
    }),
    read: (content) => readJsonObject(content, readCodex),
  },
  pi: {
    ...CHATGPT,
    renew: 'pi, then /login',
    place: (env) => ({
      kind: 'file',
      path: join(env['PI_CODING_AGENT_DIR'] || join(env['HOME'] ?? '/', '.pi', 'agent'), 'auth.json'),
    }),
    read: (content) => readJsonObject(content, readPi),
  },
  claude: {
    provider: 'anthropic',
    host: 'api.anthropic.com',
    renew: 'claude setup-token',
    place: (env) => ({
      kind: 'variable',
      variable: 'CLAUDE_CODE_OAUTH_TOKEN',
      value: (env['CLAUDE_CODE_OAUTH_TOKEN'] ?? '').trim(),
    }),
    read: (content) =>
      content.startsWith('sk-ant-oat')
        ? { token: content, accountId: null, expiresAt: null, secrets: { token: content } }
        : 'does not hold a token of `claude setup-token`',
    headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
    usualHeaders: {},
    terms: [
      'Anthropic\'s terms say that this sign-in "is intended exclusively for purchasers of Claude Free, Pro, Max, Team, and',
      'Enterprise subscription plans and is designed to support ordinary use of Claude Code and other native Anthropic',
      'applications". They do not mention a gateway of your own in front of the unmodified `claude`.',
      'Only claude itself uses it here. An API key is the way without doubt.',
    ],
  },
};

function readJsonObject(content: string, read: (json: JsonObject) => SignedIn | string): SignedIn | string {
  const json = parseJson(content);
  return isObject(json) ? read(json) : 'is not a JSON object';
}

function readCodex(json: JsonObject): SignedIn | string {
  const tokens = objectIn(json['tokens']);
  const token = textIn(tokens['access_token']);
  if (token === '') return 'holds no ChatGPT sign-in';
  const idToken = textIn(tokens['id_token']);
  const claims = claimsOf(token);
  const accountId = textIn(tokens['account_id']) || claims.accountId || claimsOf(idToken).accountId;
  return signedIn({ token, accountId, expiresAt: claims.expiresAt, refresh: textIn(tokens['refresh_token']), idToken });
}

function readPi(json: JsonObject): SignedIn | string {
  const { type, access, refresh, expires, accountId } = objectIn(json[CHATGPT.provider]);
  const token = textIn(access);
  if (type !== 'oauth' || token === '') return `holds no sign-in for ${CHATGPT.provider}`;
  const claims = claimsOf(token);
  return signedIn({
    token,
    accountId: textIn(accountId) || claims.accountId,
    expiresAt: typeof expires === 'number' ? expires : claims.expiresAt,
    refresh: textIn(refresh),
    idToken: '',
  });
}

interface FoundTokens {
  readonly token: string;
  readonly accountId: string;
  readonly expiresAt: number | null;
  readonly refresh: string;
  readonly idToken: string;
}

function signedIn({ token, accountId, expiresAt, refresh, idToken }: FoundTokens): SignedIn {
  return {
    token,
    accountId: accountId === '' ? null : accountId,
    expiresAt,
    secrets: { token, refresh, id_token: idToken, account: accountId },
  };
}

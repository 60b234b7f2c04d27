import { isObject, objectIn, parseJson, textIn } from '../exchange/json.ts';

const AUTH_CLAIM = 'https://api.openai.com/auth';

/** What a JSON Web Token says of itself. The signature is not checked: only its provider can. */
export function claimsOf(token: string): { readonly accountId: string; readonly expiresAt: number | null } {
  const payload = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  if (!isObject(payload)) return { accountId: '', expiresAt: null };
  const { exp } = payload;
  return {
    accountId: textIn(objectIn(payload[AUTH_CLAIM])['chatgpt_account_id']),
    expiresAt: typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null,
  };
}

interface StandInClaims {
  readonly accountId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly id: string;
}

/** A token without a signature, which clients accept because they leave that check to the provider. */
export function unsignedToken({ accountId, issuedAt, expiresAt, id }: StandInClaims): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = {
    iat: Math.floor(issuedAt / 1000),
    exp: Math.floor(expiresAt / 1000),
    jti: id,
    [AUTH_CLAIM]: { chatgpt_plan_type: 'plus', chatgpt_user_id: `user-${id}`, chatgpt_account_id: accountId },
  };
  // Three parts that are not empty, as clients demand.
  return [part({ alg: 'none', typ: 'JWT' }), part(payload), Buffer.from('seatrial').toString('base64url')].join('.');
}

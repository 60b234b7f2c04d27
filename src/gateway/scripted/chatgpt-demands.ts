import { objectsIn } from '../exchange/json.ts';
import type { RequestFault, ScriptedRequest } from './server.ts';

/** The path below which an upstream plays the ChatGPT backend. */
export const CHATGPT_PATH = '/backend-api/codex';

/** The sign-in that is valid now. */
export interface ValidLogin {
  readonly token: string;
  readonly accountId: string;
}

/** What the backend of a ChatGPT plan is known to demand of a request (docs/logins.md); null if it has all of it. */
export function chatGptDemand({ path, headers, body }: ScriptedRequest, login: ValidLogin): RequestFault | null {
  if (headers.authorization !== `Bearer ${login.token}`) return { status: 401, message: 'invalid token' };
  const demands: readonly (readonly [boolean, string])[] = [
    [path === `${CHATGPT_PATH}/responses`, 'unknown path'],
    [headers['chatgpt-account-id'] === login.accountId, 'chatgpt-account-id is missing or wrong'],
    [typeof headers['originator'] === 'string', 'originator is missing'],
    [body['store'] === false, 'Store must be set to false'],
    [body['stream'] === true, 'Stream must be set to true'],
    [body['max_output_tokens'] === undefined, 'Unsupported parameter: max_output_tokens'],
    [!objectsIn(body['input']).some(({ role }) => role === 'system'), 'System messages are not allowed'],
  ];
  const missing = demands.find(([isMet]) => !isMet);
  return missing === undefined ? null : { status: 400, message: missing[1] };
}

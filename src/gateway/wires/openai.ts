import type { JsonObject } from '../exchange/json.ts';

export const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` });

/** A base URL includes its version (`…/v1`, `…/api/v4`); the default is `/v1`. */
export const openAiBase = (given: string): string => (given === '' ? '/v1' : given);

export function openAiError(status: number, message: string): JsonObject {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type, param: null, code: null } };
}

export function openAiModels(id: string): JsonObject {
  return { object: 'list', data: [{ id, object: 'model', created: 0, owned_by: 'seatrial' }] };
}

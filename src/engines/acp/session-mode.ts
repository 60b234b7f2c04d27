import { type JsonObject, objectIn, objectsIn, textIn } from '../../gateway/exchange/json.ts';

/** The mode of a session, and how it is set: agents tell it as a mode, or as one of their options. */
export interface SessionMode {
  readonly current: string;
  readonly offered: readonly string[];
  readonly request: (mode: string) => { readonly method: string; readonly params: JsonObject };
}

/** Null: the session has no modes. */
export function sessionModeIn(session: JsonObject): SessionMode | null {
  const sessionId = session['sessionId'];
  const modes = objectIn(session['modes']);
  if (textIn(modes['currentModeId']) !== '')
    return {
      current: textIn(modes['currentModeId']),
      offered: objectsIn(modes['availableModes']).map((mode) => textIn(mode['id'])),
      request: (modeId) => ({ method: 'session/set_mode', params: { sessionId, modeId } }),
    };
  const option = objectsIn(session['configOptions']).find(({ category }) => category === 'mode');
  if (option === undefined) return null;
  return {
    current: textIn(option['currentValue']),
    offered: objectsIn(option['options']).map((one) => textIn(one['value'])),
    request: (value) => ({ method: 'session/set_config_option', params: { sessionId, configId: option['id'], value } }),
  };
}

/** The mode that an update says the session is in now; null if it says nothing about it. */
export function modeInUpdate(update: JsonObject): string | null {
  if (update['sessionUpdate'] === 'current_mode_update') return textIn(update['currentModeId']);
  if (update['sessionUpdate'] !== 'config_option_update') return null;
  return sessionModeIn({ configOptions: update['configOptions'] })?.current ?? null;
}

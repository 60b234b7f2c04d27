import { type JsonObject, objectsIn, textIn } from '../../gateway/exchange/json.ts';

/** The answer to a permission request: an option that the agent offers, chosen by its kind, since ids differ between agents. */
export interface OfferedAnswers {
  /** Null: the agent offers no way to allow this one call alone. */
  readonly allow: JsonObject | null;
  readonly deny: JsonObject;
}

export function answersIn(params: JsonObject): OfferedAnswers {
  const offered = objectsIn(params['options']);
  const select = (kind: string): JsonObject | null => {
    const option = offered.find((one) => one['kind'] === kind && textIn(one['optionId']) !== '');
    return option === undefined ? null : { outcome: { outcome: 'selected', optionId: textIn(option['optionId']) } };
  };
  return {
    // Allowed for good, it would not be asked about again.
    allow: select('allow_once'),
    deny: select('reject_once') ?? select('reject_always') ?? { outcome: { outcome: 'cancelled' } },
  };
}

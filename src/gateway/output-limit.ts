import { countIn, type JsonObject, objectIn } from './exchange/json.ts';
import type { KeyPath, WireRules } from './wires/rules.ts';

/** The output limit that a body sets; the highest, if it sets several. Null: none. */
export function outputLimit({ outputLimits }: WireRules, body: JsonObject): number | null {
  const limits = outputLimits.map((path) => countIn(valueAt(body, path))).filter((limit) => limit > 0);
  return limits.length === 0 ? null : Math.max(...limits);
}

/** Lowers every output limit of the body to this one, or adds it. */
export function withOutputLimit({ outputLimits }: WireRules, body: JsonObject, limit: number): JsonObject {
  const given = outputLimits.filter((path) => valueAt(body, path) !== undefined);
  const [usual] = outputLimits;
  const limited = (given.length === 0 ? [usual] : given).reduce((changed, path) => {
    const asked = countIn(valueAt(body, path));
    return withValue(changed, path, asked === 0 ? limit : Math.min(asked, limit));
  }, body);
  return withLessThinking(limited, limit);
}

/** Less is not accepted as a budget for thinking. */
const MIN_THINKING = 1024;

/** On Anthropic's wire, the budget for thinking must be below the output limit. */
function withLessThinking(body: JsonObject, limit: number): JsonObject {
  const { thinking, ...rest } = body;
  if (countIn(objectIn(thinking)['budget_tokens']) < limit) return body;
  return limit > MIN_THINKING ? { ...body, thinking: { ...objectIn(thinking), budget_tokens: limit - 1 } } : rest;
}

/** As it is listed in the record. */
export const limitText = ({ outputLimits: [usual] }: WireRules, limit: number): string =>
  `${usual.join('.')}: ${limit}`;

function valueAt(body: JsonObject, [outer, inner]: KeyPath): unknown {
  return inner === undefined ? body[outer] : objectIn(body[outer])[inner];
}

function withValue(body: JsonObject, [outer, inner]: KeyPath, value: number): JsonObject {
  return { ...body, [outer]: inner === undefined ? value : { ...objectIn(body[outer]), [inner]: value } };
}

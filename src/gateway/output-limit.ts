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
  return (given.length === 0 ? [usual] : given).reduce((limited, path) => {
    const asked = countIn(valueAt(body, path));
    return withValue(limited, path, asked === 0 ? limit : Math.min(asked, limit));
  }, body);
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

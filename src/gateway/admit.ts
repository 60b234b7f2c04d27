import type { IncomingHttpHeaders } from 'node:http';
import { reason } from '../evidence/reasons/catalogue.ts';
import type { Reason } from '../evidence/reasons/reason.ts';
import { bringsKey } from './exchange/headers.ts';
import { isObject, type JsonObject, objectsIn, parseJson, textIn } from './exchange/json.ts';
import type { Wire } from '../evidence/schema/exchange.ts';
import type { GatewayPlan, Refusal, RefusalCode } from './types.ts';
import { WIRES } from './wires/list.ts';
import type { Route } from './wires/rules.ts';

export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** The only query parameters that are forwarded. */
const FORWARDED_QUERY = ['alt', 'beta'];

/** A request without its body. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export type AdmittedRequest =
  | { readonly kind: 'question'; readonly route: Route; readonly path: string }
  | { readonly kind: 'model_list' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Decides on a request before its body is read. */
export function admitHead({ method, target, headers }: RequestHead, plan: GatewayPlan): AdmittedRequest {
  if (!target.startsWith('/'))
    return refuseRequest('host', 403, reason('other_host_requested', { host: hostIn(target) }));
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? null : new URLSearchParams(target.slice(mark));
  if (!bringsKey(headers, plan.key) && query?.get('key') !== plan.key)
    return refuseRequest('key', 401, 'wrong key: only the one that this run was given works here');
  if (method === 'GET' && /^(\/v1(beta)?)?\/models$/.test(path)) return { kind: 'model_list' };
  const route = method === 'POST' ? routeOf(path, forwardedQuery(query), plan.wire) : null;
  if (route === null) return refuseRequest('path', 404, `unknown path: ${method} ${path.slice(0, 200)}`);
  if (route.wire !== plan.wire)
    return refuseRequest('path', 404, `wire not admitted: ${route.wire}, only ${plan.wire}`);
  return { kind: 'question', route, path };
}

/** A request to the model, with its body read. */
export interface Question {
  readonly kind: 'question';
  readonly model: string;
  readonly streamed: boolean;
  /** Sent in place of the engine's bytes; null if those are forwarded unchanged. */
  readonly rewritten: Buffer | null;
}

/** Matches only a key or a value of the body: inside a JSON string the quotes are escaped. */
const MODEL_KEY = '"model"';
/** A letter as a Unicode escape, which could hide a second "model" key. */
const ESCAPED_LETTER = /\\u00[4-7]/i;

/** Decides on a request's body. */
export function admitBody(
  route: Route,
  body: string,
  plan: GatewayPlan,
): Question | { readonly kind: 'refused'; readonly refusal: Refusal } {
  const json = parseJson(body);
  if (!isObject(json)) return refuseRequest('body', 400, 'the body is not a JSON object');
  const model = route.model ?? json['model'];
  if (typeof model !== 'string') return refuseRequest('model', 403, otherModel('none named'));
  const name = model.slice(0, 200);
  if (model !== plan.runtimeModel) return refuseRequest('model', 403, otherModel(name), name);
  // Some providers read keys without regard to case.
  const alias = Object.keys(json).find((key) => key !== 'model' && key.toLowerCase() === 'model');
  if (alias !== undefined) return refuseRequest('model', 403, otherModel(`named twice, also as ${alias}`));
  const elsewhere = providerReach(json);
  if (elsewhere !== null) return refuseRequest('reach', 403, `more than a model asked for: ${elsewhere}`, name);
  try {
    const rewritten = route.model === null ? rewrite(json, body, plan) : null;
    return { kind: 'question', model, streamed: route.streamed ?? json['stream'] === true, rewritten };
  } catch {
    return refuseRequest('body', 400, 'the body is nested too deeply');
  }
}

/** Request fields that make the provider use other models or reach other hosts for the engine. */
const PROVIDER_REACH_KEYS = ['models', 'fallbacks', 'mcp_servers', 'web_search_options', 'plugins'];
/** Tools that run at the provider. Tools that the engine runs have the type `function`. */
const PROVIDER_TOOLS =
  /^(web_search|web_fetch|mcp|code_interpreter|code_execution|file_search|image_generation|google_search|url_context|googleSearch|urlContext|codeExecution)/;

/** The field or tool that makes the provider do more than answer with the admitted model; null if there is none. */
function providerReach(json: JsonObject): string | null {
  const key = PROVIDER_REACH_KEYS.find((name) => json[name] !== undefined && json[name] !== null);
  if (key !== undefined) return key;
  for (const tool of objectsIn(json['tools'])) {
    const named = [textIn(tool['type']), ...Object.keys(tool)].find((name) => PROVIDER_TOOLS.test(name));
    if (named !== undefined) return `the tool ${named.slice(0, 100)}`;
  }
  return null;
}

/** Sets the provider's name for the model. Also removes a duplicate "model" key, because JSON parsers differ on which one wins. */
function rewrite(json: JsonObject, body: string, { runtimeModel, upstreamModel }: GatewayPlan): Buffer | null {
  const once =
    body.indexOf(MODEL_KEY) === body.lastIndexOf(MODEL_KEY) && !(body.includes('\\u00') && ESCAPED_LETTER.test(body));
  if (once && upstreamModel === runtimeModel) return null;
  return Buffer.from(JSON.stringify({ ...json, model: upstreamModel }));
}

const otherModel = (model: string): Reason<'fail'> => reason('other_model_requested', { model });

/** A refusal with a reason ends the run; one with a mere text does not. */
export function refuseRequest(
  code: RefusalCode,
  status: number,
  why: Reason<'fail'> | string,
  model: string | null = null,
): { readonly kind: 'refused'; readonly refusal: Refusal } {
  const fatal = typeof why === 'string' ? null : why;
  return { kind: 'refused', refusal: { code, status, reason: typeof why === 'string' ? why : why.text, fatal, model } };
}

/** Prefers the admitted wire; another wire is found only to name it in the refusal. */
function routeOf(path: string, query: string, admitted: Wire): Route | null {
  const own = WIRES[admitted].route(path, query);
  if (own !== null) return own;
  return Object.values(WIRES).reduce<Route | null>((found, rules) => found ?? rules.route(path, query), null);
}

function forwardedQuery(query: URLSearchParams | null): string {
  const kept = query === null ? [] : [...query].filter(([name]) => FORWARDED_QUERY.includes(name));
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`;
}

function hostIn(target: string): string {
  return (/^(?:\w+:\/\/)?([^/]*)/.exec(target)?.[1] ?? '').slice(0, 200);
}

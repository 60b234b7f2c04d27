import type { IncomingHttpHeaders } from 'node:http';
import { reason } from '../evidence/reasons/catalogue.ts';
import type { Reason } from '../evidence/reasons/reason.ts';
import { filterBody } from './allowed/filter.ts';
import { bringsKey } from './exchange/headers.ts';
import { isObject, type JsonObject, parseJson } from './exchange/json.ts';
import type { Wire } from '../evidence/schema/exchange.ts';
import type { GatewayPlan, Refusal, RefusalCode } from './types.ts';
import { WIRES } from './wires/list.ts';
import type { Route } from './wires/rules.ts';

export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** The only query parameters that are forwarded, with their only values. */
const FORWARDED_QUERY = ['alt=sse', 'alt=json', 'beta=true'];

/** A request without its body. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export type AdmittedRequest =
  | { readonly kind: 'question'; readonly route: Route; readonly path: string; readonly dropped: readonly string[] }
  | { readonly kind: 'model_list' }
  /** A question whether anything listens here, as claude asks it at its start, without a key. */
  | { readonly kind: 'liveness' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Decides on a request before its body is read. */
export function admitHead({ method, target, headers }: RequestHead, plan: GatewayPlan): AdmittedRequest {
  if (!target.startsWith('/'))
    return refuseRequest('host', 403, reason('other_host_requested', { host: hostIn(target) }));
  if (method === 'HEAD' && target === '/') return { kind: 'liveness' };
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? null : new URLSearchParams(target.slice(mark));
  if (!bringsKey(headers, plan.key) && query?.get('key') !== plan.key)
    return refuseRequest('key', 401, 'wrong key: only the one that this run was given works here');
  if (method === 'GET' && /^(\/v1(beta)?)?\/models$/.test(path)) return { kind: 'model_list' };
  const { forwarded, dropped } = filterQuery(query);
  const route = method === 'POST' ? routeOf(path, forwarded, plan.wire) : null;
  if (route === null) return refuseRequest('path', 404, `unknown path: ${method} ${path.slice(0, 200)}`);
  if (route.wire !== plan.wire)
    return refuseRequest('path', 404, `wire not admitted: ${route.wire}, only ${plan.wire}`);
  return { kind: 'question', route, path, dropped };
}

/** A request to the model, with its body read. */
export interface Question {
  readonly kind: 'question';
  readonly model: string;
  /** The provider's name of it. */
  readonly upstreamModel: string;
  readonly streamed: boolean;
  /** What is sent to the provider, before it is serialized. */
  readonly json: JsonObject;
  readonly dropped: readonly string[];
  readonly changed: readonly string[];
}

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
  const upstreamModel = upstreamModelFor(model, plan);
  if (upstreamModel === null) return refuseRequest('model', 403, otherModel(name), name);
  // Some providers read keys without regard to case.
  const alias = Object.keys(json).find((key) => key !== 'model' && key.toLowerCase() === 'model');
  if (alias !== undefined) return refuseRequest('model', 403, otherModel(`named twice, also as ${alias}`));
  const { allowedBody, spelling } = WIRES[route.wire];
  const filtered = filterBody(allowedBody, json, spelling);
  if (filtered.kind === 'refused')
    return refuseRequest('reach', 403, `not allowed in a model request: ${filtered.what}`, name);
  const { dropped, changed } = filtered;
  const sent = route.model === null ? { ...filtered.body, model: upstreamModel } : filtered.body;
  const streamed = route.streamed ?? sent['stream'] === true;
  return { kind: 'question', model, upstreamModel, streamed, json: sent, dropped, changed };
}

/** Null: the model is not admitted. */
function upstreamModelFor(model: string, { runtimeModel, upstreamModel, helperModels }: GatewayPlan): string | null {
  if (model === runtimeModel) return upstreamModel;
  return helperModels.includes(model) ? model : null;
}

const otherModel = (model: string): Reason<'fail'> => reason('other_model_requested', { model });

/** A refusal with a reason ends the run; one with a mere text does not. */
export function refuseRequest(
  code: RefusalCode,
  status: number,
  why: Reason<'fail' | 'blocked'> | string,
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

const MAX_LISTED = 20;

function filterQuery(query: URLSearchParams | null): {
  readonly forwarded: string;
  readonly dropped: readonly string[];
} {
  const given = query === null ? [] : [...query].filter(([name]) => name !== 'key');
  const kept = given.filter(([name, value]) => FORWARDED_QUERY.includes(`${name}=${value}`));
  const dropped = given.filter((one) => !kept.includes(one)).map(([name]) => `?${name.slice(0, 100)}`);
  return {
    forwarded: kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`,
    dropped: [...new Set(dropped)].slice(0, MAX_LISTED),
  };
}

function hostIn(target: string): string {
  return (/^(?:\w+:\/\/)?([^/]*)/.exec(target)?.[1] ?? '').slice(0, 200);
}

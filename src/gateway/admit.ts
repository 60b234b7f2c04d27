import type { IncomingHttpHeaders } from 'node:http';
import { keysOf } from './headers.ts';
import { isObject, type JsonObject, parseJson } from './json.ts';
import type { GatewayPlan, Refusal, RefusalCode } from './types.ts';
import { WIRES } from './wires/list.ts';
import type { Route } from './wires/rules.ts';

export const MOST_BODY_BYTES = 64 * 1024 * 1024;
const PLACE = 'http://gateway';
/** Of a query nothing else goes on: it could name anything. */
const QUERY = ['alt', 'beta'];

/** A request as far as its head says. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export type Admitted =
  | { readonly kind: 'question'; readonly route: Route; readonly path: string }
  | { readonly kind: 'model_list' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Decides on a request before its body is read. */
export function admitHead({ method, target, headers }: RequestHead, plan: GatewayPlan): Admitted {
  if (!target.startsWith('/')) return refused('host', 403, `another host asked for: ${hostIn(target)}`);
  const url = new URL(target.replace(/^\/+/, '/'), PLACE);
  const path = url.pathname;
  if (![...keysOf(headers), url.searchParams.get('key')].includes(plan.key))
    return refused('key', 401, 'wrong key: only the one that this run was given works here');
  if (method === 'GET' && /^(\/v1(beta)?)?\/models$/.test(path)) return { kind: 'model_list' };
  const route = method === 'POST' ? routeOf(path, url.searchParams) : null;
  if (route === null) return refused('path', 404, `unknown path: ${method} ${path.slice(0, 200)}`);
  if (route.wire !== plan.wire) return refused('path', 404, `wire not admitted: ${route.wire}, only ${plan.wire}`);
  return { kind: 'question', route, path };
}

/** What a question asks for, once its body is there. */
export interface Question {
  readonly kind: 'question';
  readonly model: string;
  readonly streamed: boolean;
  readonly json: JsonObject;
}

/** Decides on a question's body. */
export function admitBody(
  route: Route,
  body: string,
  plan: GatewayPlan,
): Question | { readonly kind: 'refused'; readonly refusal: Refusal } {
  const json = parseJson(body);
  if (!isObject(json)) return refused('body', 400, 'the body is not a JSON object');
  const model = route.model ?? json['model'];
  if (typeof model !== 'string') return refused('model', 403, 'model not admitted: none named');
  if (model !== plan.runtimeModel) return refused('model', 403, `model not admitted: ${model.slice(0, 200)}`, model);
  return { kind: 'question', model, streamed: route.streamed ?? json['stream'] === true, json };
}

export function refused(
  code: RefusalCode,
  status: number,
  reason: string,
  model: string | null = null,
): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal: { code, status, reason, model } };
}

function routeOf(path: string, asked: URLSearchParams): Route | null {
  const kept = [...asked].filter(([name]) => QUERY.includes(name));
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`;
  for (const rules of Object.values(WIRES)) {
    const route = rules.route(path, query);
    if (route !== null) return route;
  }
  return null;
}

function hostIn(target: string): string {
  return (/^(?:\w+:\/\/)?([^/]*)/.exec(target)?.[1] ?? '').slice(0, 200);
}

import { canonicalJson, prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { parseBytes } from '../schema/document.ts';
import { traceLine, type TraceLine } from '../schema/trace.ts';
import type { ExportSource } from './source.ts';

type ResourceSpans = TraceLine['resourceSpans'][number];

/** The trace as one request to an OpenTelemetry collector (`POST /v1/traces`, application/json). */
export function exportOtlp({ trace }: ExportSource): string {
  const lines = trace.split('\n').filter((line) => line !== '');
  const all = lines.flatMap((line, index): readonly ResourceSpans[] => {
    const parsed = parseBytes(line, traceLine);
    if (!parsed.ok)
      throw new SeatrialError('evidence', `trace.jsonl line ${index + 1} cannot be read (${parsed.fault})`);
    return parsed.value.resourceSpans;
  });
  return prettyJson({ resourceSpans: merged(all) });
}

/** Each line names resource and scope again; together they are named once. */
function merged(all: readonly ResourceSpans[]): readonly ResourceSpans[] {
  const groups = new Map<string, ResourceSpans[]>();
  for (const one of all) {
    const key = canonicalJson(one.resource);
    const group = groups.get(key) ?? [];
    group.push(one);
    groups.set(key, group);
  }
  return Array.from(groups.values(), (same) => ({
    resource: same[0]?.resource ?? { attributes: [] },
    scopeSpans: mergedScopes(same.flatMap(({ scopeSpans }) => scopeSpans)),
  }));
}

type ScopeSpans = ResourceSpans['scopeSpans'][number];

function mergedScopes(all: readonly ScopeSpans[]): ScopeSpans[] {
  const groups = new Map<string, { readonly first: ScopeSpans; readonly spans: ScopeSpans['spans'] }>();
  for (const one of all) {
    const { spans, ...scope } = one;
    const key = canonicalJson(scope);
    const group = groups.get(key) ?? { first: one, spans: [] };
    group.spans.push(...spans);
    groups.set(key, group);
  }
  return Array.from(groups.values(), ({ first, spans }) => ({ ...first, spans }));
}

import { parse } from 'smol-toml';
import type { ManifestKind } from './manifest.ts';
import { type ManifestMerge, mergeManifest } from './merge.ts';

export function merge(
  kind: ManifestKind,
  base: string | null,
  patch: string | null,
  tools: readonly string[] = [],
  loaded: readonly string[] = [],
): ManifestMerge {
  return mergeManifest({ kind, path: kind, base, patch, testTools: new Set(tools), loaded: new Set(loaded) });
}

/** With the merged values beside the text. */
export function mergeToml(kind: 'pyproject.toml' | 'Cargo.toml', base: string | null, patch: string | null) {
  const merged = merge(kind, base, patch);
  return { ...merged, value: merged.text === null ? null : plainToml(merged.text) };
}

export function plainToml(text: string): Record<string, Record<string, unknown>> {
  return JSON.parse(JSON.stringify(parse(text))) as Record<string, Record<string, unknown>>;
}

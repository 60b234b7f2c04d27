import { agentsFile, type AgentsFile } from './schema.ts';

const EMPTY: AgentsFile = { session_prefix: '', agents: {} };

/** A faulty file without the values that have a fault; a table that lacks a required key is left out as a whole. */
export function soundPart(value: unknown): AgentsFile {
  const copy: unknown = structuredClone(value);
  for (let round = 0; round < 50; round += 1) {
    // Required at the top, where no table around it can be left out.
    if (isTable(copy)) {
      copy['session_prefix'] ??= '-';
      copy['agents'] ??= {};
    }
    const parsed = agentsFile.safeParse(copy);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
      if (issue.code === 'unrecognized_keys') for (const key of issue.keys) remove(copy, [...path, key]);
      else if (!remove(copy, path)) remove(copy, path.slice(0, -1));
    }
  }
  return EMPTY;
}

/** False: there is no such value. A list with a faulty element goes as a whole, because the others would change their places. */
function remove(root: unknown, path: readonly (string | number)[]): boolean {
  const key = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>((at, part) => (isTable(at) ? at[part] : undefined), root);
  if (key === undefined || !isTable(parent) || !(key in parent)) return false;
  if (Array.isArray(parent)) return remove(root, path.slice(0, -1));
  delete parent[key];
  return true;
}

function isTable(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

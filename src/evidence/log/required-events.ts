import { DEFAULT_REQUIRED_EVENTS } from '../schema/events.ts';

/**
 * Required event types missing from a run. The default types must occur in order; those that a task adds may occur
 * anywhere. A default type that only occurs too early counts as missing.
 */
export function missingEvents(seen: readonly string[], added: readonly string[]): readonly string[] {
  const missing: string[] = [];
  let from = 0;
  for (const type of DEFAULT_REQUIRED_EVENTS) {
    const at = seen.indexOf(type, from);
    if (at === -1) missing.push(type);
    else from = at + 1;
  }
  const defaults = new Set<string>(DEFAULT_REQUIRED_EVENTS);
  const extra = new Set(added.filter((type) => !defaults.has(type) && !seen.includes(type)));
  return [...missing, ...extra];
}

export const CONTRACT_FILE = 'inputs/contract.json';

/** Event types that a contract adds to the default ones. An unreadable contract adds none; other checks report it. */
export function addedByContract(bytes: Buffer | null): readonly string[] {
  const added = fieldOf(bytes, 'required_events');
  return Array.isArray(added) ? added.filter((type) => typeof type === 'string') : [];
}

/** Whether the contract names no oracle; then the tests before the change are the only possible control. */
export function lacksOracle(bytes: Buffer | null): boolean {
  return fieldOf(bytes, 'has_oracle') === false;
}

/** Whether the contract asks for a change that is judged by the tests of a repository's base. */
export function isChangeToRepository(bytes: Buffer | null): boolean {
  const judging = fieldOf(bytes, 'judging');
  return typeof judging === 'object' && judging !== null;
}

function fieldOf(contract: Buffer | null, name: string): unknown {
  try {
    const value: unknown = JSON.parse(contract?.toString('utf8') ?? 'null');
    return typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : null;
  } catch {
    return null;
  }
}

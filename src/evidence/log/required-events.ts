import { DEFAULT_REQUIRED_EVENTS } from '../schema/events.ts';

/**
 * The required event types that a run does not show: the default ones must come in their order, those that a task adds
 * anywhere. An order that is broken counts as missing from the first type that comes too early.
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

/**
 * The event types that a contract adds to the default ones. A contract that cannot be read adds none: that it is not the
 * one that was used shows elsewhere.
 */
export function addedByContract(bytes: Buffer | null): readonly string[] {
  const added = fieldOf(bytes, 'required_events');
  return Array.isArray(added) ? added.filter((type) => typeof type === 'string') : [];
}

/** Whether the contract names no oracle, so that the tests before the change are the only control there can be. */
export function lacksOracle(bytes: Buffer | null): boolean {
  return fieldOf(bytes, 'has_oracle') === false;
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

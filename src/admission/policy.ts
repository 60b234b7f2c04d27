import { ENGINES } from '../engines/list.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';

const POLICIES: ReadonlyMap<string, AdmissionPolicy> = new Map(ENGINES.map(({ name, policy }) => [name, policy]));

/** Null: no such engine, so it may not run. */
export function policyOf(engine: string): AdmissionPolicy | null {
  return POLICIES.get(engine) ?? null;
}

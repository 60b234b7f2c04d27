import type { AcpProfiles } from '../engines/acp/profile.ts';
import { engineNamed, enginesWith } from '../engines/list.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';

/** Null: no such engine, so it may not run. */
export function policyOf(engine: string, profiles: AcpProfiles = {}): AdmissionPolicy | null {
  return engineNamed(engine, profiles)?.policy ?? null;
}

/** The policies of several engines, by name. */
export function policiesOf(
  engines: readonly string[],
  profiles: AcpProfiles = {},
): ReadonlyMap<string, AdmissionPolicy> {
  const known = enginesWith(profiles).filter(({ name }) => engines.includes(name));
  return new Map(known.map(({ name, policy }) => [name, policy]));
}

import type { AcpProfiles } from '../engines/acp/profile.ts';
import { engineNamed } from '../engines/list.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';

/** Null: no such engine, so it may not run. */
export function policyOf(engine: string, profiles: AcpProfiles = {}): AdmissionPolicy | null {
  return engineNamed(engine, profiles)?.policy ?? null;
}

import { engineNamed } from '../engines/list.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';

/** Null: no such engine, so it may not run. */
export function policyOf(engine: string): AdmissionPolicy | null {
  return engineNamed(engine)?.policy ?? null;
}

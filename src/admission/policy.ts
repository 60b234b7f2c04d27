import { ENGINES } from '../engines/list.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';

const POLICIES: ReadonlyMap<string, AdmissionPolicy> = new Map(ENGINES.map(({ name, policy }) => [name, policy]));

/** Null: no such engine, so it may not run. */
export function policyOf(engine: string): AdmissionPolicy | null {
  return POLICIES.get(engine) ?? null;
}

/** Model providers with a well-known public endpoint; every other needs a variable for its endpoint. */
export const PUBLIC_ENDPOINTS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

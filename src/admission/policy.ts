import { engineNamed } from '../engines/list.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';

/** Null: there is no such engine, so it may not run. */
export function policyOf(engine: string): AdmissionPolicy | null {
  return engineNamed(engine)?.policy ?? null;
}

/** Model providers with a well-known public address; any other needs a variable with its address. */
export const PUBLIC_ENDPOINTS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

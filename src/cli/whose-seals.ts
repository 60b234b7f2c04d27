import { readTrustedKey, trustedKeys } from '../evidence/bundle/keys.ts';
import type { VerifyOptions } from '../evidence/verify/types.ts';

/** By the one key that `--key` names, or by any that is pinned on this machine. */
export function whoseSeals(key: string | undefined): Pick<VerifyOptions, 'trusted' | 'signer'> {
  if (key === undefined) return { trusted: trustedKeys(process.env) };
  const signer = readTrustedKey(key);
  return { trusted: [signer], signer };
}

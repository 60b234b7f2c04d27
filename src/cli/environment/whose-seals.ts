import { readTrustedKey, trustedKeys } from '../../evidence/bundle/keys.ts';
import type { VerifyOptions } from '../../evidence/verify/types.ts';

/** The accepted signers: the key that `--key` names, or every key that is trusted on this machine. */
export function whoseSeals(key: string | undefined): Pick<VerifyOptions, 'trusted' | 'signer'> {
  if (key === undefined) return { trusted: trustedKeys(process.env) };
  const signer = readTrustedKey(key);
  return { trusted: [signer], signer };
}

import { createHash } from 'node:crypto';

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The previous digest of the first entry of a chain. */
export const ZERO_DIGEST = '0'.repeat(64);

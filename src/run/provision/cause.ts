import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';

/** Maps a package manager's output to a registry problem. The first match wins. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|CERT_HAS_EXPIRED|CERTIFICATE_VERIFY_FAILED|certificate (verify failed|signed by unknown|has expired)|SSL certificate problem|invalid peer certificate/i,
    'its certificate is not trusted; add its authority to the certificates of this machine',
  ],
  [/\b407\b.*proxy|proxy authentication required/i, 'a proxy requires authentication'],
  [
    /ENOTFOUND|EAI_AGAIN|could ?n[o']t resolve|no such host|name or service not known|temporary failure in name resolution|name resolution|failed to lookup address/i,
    'its name cannot be resolved',
  ],
  [/ECONNREFUSED|connection refused/i, 'it refuses connections'],
  [
    /ETIMEDOUT|ESOCKETTIMEDOUT|ERR_SOCKET_TIMEOUT|connect timed out|connection timed out|i\/o timeout/i,
    'it does not answer',
  ],
  [/ENETUNREACH|EHOSTUNREACH|network is unreachable|no route to host/i, 'this machine has no route to it'],
  [/ECONNRESET|connection reset by peer|socket hang up/i, 'it resets connections'],
];

const REFUSED =
  /\bE40[13]\b|\b40[13] (Unauthorized|Forbidden)|HTTP(?: error)? 40[13]\b|status code(?: of)? 40[13]\b|ERR_PNPM_FETCH_40[13]/i;

const OUT_OF_DATE =
  /can only install packages when your package\.json|ERR_PNPM_OUTDATED_LOCKFILE|YN0028|lockfile needs to be updated|lock file .* needs to be updated|missing go\.sum entry/i;

const HOW =
  'list the variables that configure it in provision_env, or the files in provision_files, of [confine] in seatrial.toml';

/** Why a setup failed, as far as its output shows a known cause. Names no host. */
export function causeOf(output: string): Reason<'blocked'> | null {
  const found = CAUSES.find(([pattern]) => pattern.test(output))?.[1];
  if (found !== undefined) return reason('registry_unreachable', { why: `${found}; behind a mirror or proxy, ${HOW}` });
  if (REFUSED.test(output)) return reason('registry_refused', { why: `it requires credentials; ${HOW}` });
  if (OUT_OF_DATE.test(output)) return reason('lockfile_outdated');
  if (/ensurepip is not available/.test(output)) return reason('ensurepip_missing');
  return null;
}

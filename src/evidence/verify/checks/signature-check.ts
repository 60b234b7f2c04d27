import { MANIFEST_FILE } from '../../bundle/manifest.ts';
import type { OpenedBundle } from '../opened.ts';
import { type VerifyCheck, verifyCheck, type VerifyOptions } from '../types.ts';

export interface SignatureCheck extends VerifyCheck {
  readonly trusted: boolean;
}

/** The signature is valid and covers the files in this bundle. Reports trust in the signer separately. */
export function checkSignature(
  bundle: OpenedBundle,
  { trusted, signer }: Pick<VerifyOptions, 'trusted' | 'signer'>,
): SignatureCheck {
  const { attestation, files, report } = bundle;
  if (attestation.kind === 'refused') {
    return { ...verifyCheck('signature', [`attestation.json: ${attestation.fault}`], ''), trusted: false };
  }
  const { annotations, digest } = attestation.statement.subject[0];
  const found: string[] = [];
  if (files.get(MANIFEST_FILE)?.sha256 !== digest.sha256) found.push('manifest.json is not the signed one');
  if (files.get('report.json')?.sha256 !== annotations.report_sha256) found.push('report.json is not the signed one');
  if (report.ok) {
    const { run_id, status, freshness } = report.value;
    const result = attestation.statement.predicate.result;
    if (annotations.run_id !== run_id) found.push('attestation.json belongs to another run');
    if (annotations.status !== status || (result === 'PASSED') !== (status === 'pass')) {
      found.push('the status in attestation.json differs from report.json');
    }
    if (annotations.sealed_at !== freshness.sealed_at)
      found.push('the sealing time in attestation.json differs from report.json');
  }
  const short = attestation.keyid.slice(0, 16);
  if (signer !== undefined && signer.keyid !== attestation.keyid) {
    found.push(`signed by key ${short}…, not by the given key (${signer.name})`);
  }
  const known = trusted.find(({ keyid }) => keyid === attestation.keyid);
  const who = known === undefined ? `key ${short}…, which is not trusted` : `key ${short}… (${known.name})`;
  return {
    ...verifyCheck('signature', found, `ed25519 over manifest.json is valid, by ${who}`),
    trusted: known !== undefined,
  };
}

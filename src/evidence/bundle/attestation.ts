import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, prettyJson } from '../../kernel/canonical.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type HarnessKey, keyidOf } from './keys.ts';
import { MANIFEST_FILE } from './manifest.ts';
import { envelope, type Envelope, type Manifest, statement, type Statement } from '../schema/bundle.ts';
import { schemaFault } from '../schema/parts.ts';
import type { Report } from '../schema/report.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

export interface AttestedFacts {
  readonly report: Report;
  readonly reportSha256: string;
  readonly manifest: Manifest;
  readonly manifestSha256: string;
  readonly sealedAt: string;
}

/** Returns the signed bytes of `attestation.json`: the sealed report and manifest, and the signer. */
export function attest(facts: AttestedFacts, key: HarnessKey): Buffer {
  const payload = Buffer.from(canonicalJson(statementOf(facts, key.publicKey)));
  const signature = sign(null, preAuthEncoding(payload), key.privateKey);
  const sealed: Envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.keyid, sig: signature.toString('base64') }],
  };
  return Buffer.from(prettyJson(sealed));
}

function statementOf(facts: AttestedFacts, signer: KeyObject): Statement {
  const { report, manifest } = facts;
  const idsWith = (...outcomes: readonly string[]): string[] =>
    report.tests.seen.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {
        name: MANIFEST_FILE,
        digest: { sha256: facts.manifestSha256 },
        annotations: {
          run_id: report.run_id,
          status: report.status,
          report_sha256: facts.reportSha256,
          chain_head: report.freshness.chain_head,
          nonce: report.freshness.nonce,
          sealed_at: facts.sealedAt,
          signer: signer.export({ type: 'spki', format: 'der' }).toString('base64'),
        },
      },
    ],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: report.status === 'pass' ? 'PASSED' : 'FAILED',
      configuration: manifest.files
        .filter(({ path }) => path.startsWith('inputs/'))
        .map(({ path, sha256: digest }) => ({ name: path, digest: { sha256: digest } })),
      passedTests: idsWith('passed'),
      warnedTests: idsWith('skipped'),
      failedTests: idsWith('failed', 'error'),
    },
  };
}

export type OpenedAttestation =
  | { readonly kind: 'signed'; readonly statement: Statement; readonly keyid: string }
  | { readonly kind: 'refused'; readonly fault: string };

/**
 * Opens an attestation and checks its signature against the key it names. The caller decides whether to trust that key.
 * Accepts only the exact bytes that `attest` writes, so any changed byte is detected.
 */
export function openAttestation(bytes: Buffer): OpenedAttestation {
  try {
    return { kind: 'signed', ...open(bytes) };
  } catch (error) {
    return { kind: 'refused', fault: messageOf(error) };
  }
}

function open(bytes: Buffer): { readonly statement: Statement; readonly keyid: string } {
  const outer = envelope.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!outer.success) throw new TypeError(schemaFault(outer.error));
  if (!Buffer.from(prettyJson(outer.data)).equals(bytes)) throw new TypeError('not in the form Seatrial writes');
  const [signature, second] = outer.data.signatures;
  if (signature === undefined || second !== undefined) throw new TypeError('must have exactly one signature');
  const payload = fromBase64(outer.data.payload, 'payload');
  const sealed = statement.safeParse(JSON.parse(payload.toString('utf8')));
  if (!sealed.success) throw new TypeError(schemaFault(sealed.error));
  const signer = createPublicKey({
    key: fromBase64(sealed.data.subject[0].annotations.signer, 'signer'),
    format: 'der',
    type: 'spki',
  });
  if (signer.asymmetricKeyType !== 'ed25519') throw new TypeError('its key is not an ed25519 key');
  if (keyidOf(signer) !== signature.keyid) throw new TypeError('keyid does not match its key');
  if (!verify(null, preAuthEncoding(payload), signer, fromBase64(signature.sig, 'signature'))) {
    throw new TypeError('the signature is invalid');
  }
  return { statement: sealed.data, keyid: signature.keyid };
}

/** DSSE pre-authentication encoding: the signed bytes include type and lengths, so they parse in only one way. */
export function preAuthEncoding(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload]);
}

function fromBase64(text: string, what: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new TypeError(`its ${what} is not canonical base64`);
  return bytes;
}

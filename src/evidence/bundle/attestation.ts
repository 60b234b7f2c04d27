import type { KeyObject } from 'node:crypto';
import { messageOf } from '../../kernel/errors.ts';
import { openStatement, sealStatement, signerText } from './envelope.ts';
import type { HarnessKey } from './keys.ts';
import { MANIFEST_FILE } from './manifest.ts';
import { type Manifest, statement, type Statement } from '../schema/bundle.ts';
import { schemaFault } from '../schema/parts.ts';
import type { Report } from '../schema/report.ts';

export interface AttestedFacts {
  readonly report: Report;
  readonly reportSha256: string;
  readonly manifest: Manifest;
  readonly manifestSha256: string;
  readonly sealedAt: string;
}

/** Returns the signed bytes of `attestation.json`: the sealed report and manifest, and the signer. */
export function attest(facts: AttestedFacts, key: HarnessKey): Buffer {
  return sealStatement(statementOf(facts, key.publicKey), key);
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
          signer: signerText(signer),
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

/** Opens an attestation and checks its signature; see `openStatement`. */
export function openAttestation(bytes: Buffer): OpenedAttestation {
  try {
    const opened = openStatement(bytes, decodeStatement, ({ subject: [manifest] }) => manifest.annotations.signer);
    return { kind: 'signed', ...opened };
  } catch (error) {
    return { kind: 'refused', fault: messageOf(error) };
  }
}

function decodeStatement(value: unknown): Statement {
  const parsed = statement.safeParse(value);
  if (!parsed.success) throw new TypeError(schemaFault(parsed.error));
  return parsed.data;
}

import { join } from 'node:path';
import { messageOf } from '../../kernel/errors.ts';
import { landingStatement, type LandingStatement } from '../schema/bundle.ts';
import { schemaFault } from '../schema/parts.ts';
import { makeDirs, replaceFile } from '../storage/durable.ts';
import { refuseLinks } from '../storage/no-follow.ts';
import { openStatement, sealStatement, signerText } from './envelope.ts';
import type { HarnessKey, TrustedKey } from './keys.ts';

/** What a landing record says about a commit. */
export interface LandingFacts {
  /** Full name of the branch. */
  readonly onto: string;
  readonly tip: string;
  readonly commit: string;
  readonly tree: string;
  readonly runId: string;
  readonly parentRunId: string;
  /** Digest of the attestation of the bundle with the judgement. */
  readonly attestationSha256: string;
  readonly provenAt: string;
}

/** The ref under which a repository keeps the record of a commit. */
export const landingRef = (commit: string): string => `refs/seatrial/landings/${commit}`;

/** The signed bytes of a landing record. */
export function attestLanding(facts: LandingFacts, key: HarnessKey): Buffer {
  const statement: LandingStatement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {
        name: facts.onto,
        digest: { gitCommit: facts.commit, gitTree: facts.tree },
        annotations: {
          tip: facts.tip,
          run_id: facts.runId,
          parent_run_id: facts.parentRunId,
          proven_at: facts.provenAt,
          signer: signerText(key.publicKey),
        },
      },
    ],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: 'PASSED',
      configuration: [{ name: 'attestation.json', digest: { sha256: facts.attestationSha256 } }],
    },
  };
  return sealStatement(statement, key);
}

/** Beside the bundles: a sealed bundle takes no further file. Durable on return. */
export function keepLandingFile(runsDir: string, name: string, bytes: Buffer): string {
  const dir = join(runsDir, 'landings');
  refuseLinks(runsDir, dir);
  makeDirs(dir);
  const path = join(dir, name);
  replaceFile(path, bytes);
  return path;
}

/** A commit as its repository has it. */
export interface CommitIdentity {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

export type LandingRecordCheck =
  | { readonly ok: true; readonly statement: LandingStatement; readonly signer: TrustedKey }
  | { readonly ok: false; readonly fault: string };

const refuse = (fault: string): LandingRecordCheck => ({ ok: false, fault });

/** Whether a trusted key signed this record, and about this commit. Pure, as the next one. */
export function checkRecordSigner(record: Buffer, commit: string, trusted: readonly TrustedKey[]): LandingRecordCheck {
  const opened = openLandingRecord(record);
  if ('fault' in opened) return refuse(`its landing record is invalid: ${opened.fault}`);
  const { statement, keyid } = opened;
  const signer = trusted.find((key) => key.keyid === keyid);
  if (signer === undefined) return refuse(`its landing record is signed by key ${keyid}, which is not trusted here`);
  const { gitCommit } = statement.subject[0].digest;
  return gitCommit === commit
    ? { ok: true, statement, signer }
    : refuse(`its landing record is about commit ${gitCommit}`);
}

/** Whether a record proves this commit on this branch. Pure: reads no file, asks no repository. */
export function checkLandingRecord(
  record: Buffer,
  { commit, tree, parents }: CommitIdentity,
  onto: string | null,
  trusted: readonly TrustedKey[],
): LandingRecordCheck {
  const signed = checkRecordSigner(record, commit, trusted);
  if (!signed.ok) return signed;
  const { name, digest, annotations } = signed.statement.subject[0];
  if (digest.gitTree !== tree) return refuse(`its landing record is about tree ${digest.gitTree}`);
  if (parents.length !== 1 || parents[0] !== annotations.tip)
    return refuse(`its landing record was made on commit ${annotations.tip}, which is not its only parent`);
  if (onto !== null && name !== onto) return refuse(`its landing record is for ${name}, not for ${onto}`);
  return signed;
}

/** What a record says, if a trusted key signed it; else null. */
export function readLandingRecord(record: Buffer, trusted: readonly TrustedKey[]): LandingStatement | null {
  const opened = openLandingRecord(record);
  return 'fault' in opened || !trusted.some(({ keyid }) => keyid === opened.keyid) ? null : opened.statement;
}

function openLandingRecord(
  record: Buffer,
): { readonly statement: LandingStatement; readonly keyid: string } | { readonly fault: string } {
  try {
    return openStatement(record, decodeLanding, ({ subject: [commit] }) => commit.annotations.signer);
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

function decodeLanding(value: unknown): LandingStatement {
  const parsed = landingStatement.safeParse(value);
  if (!parsed.success) throw new TypeError(schemaFault(parsed.error));
  return parsed.data;
}

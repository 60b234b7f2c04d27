import * as z from 'zod/mini';
import { count, isoTime, sha256Hex, status } from './parts.ts';

/** `manifest.json`: every file of the bundle except itself and the attestation. */
export const manifest = z.strictObject({
  schema_version: z.literal(1),
  run_id: z.string(),
  files: z.array(z.strictObject({ path: z.string(), sha256: sha256Hex, bytes: count, modified_at: isoTime })),
});
export type Manifest = z.infer<typeof manifest>;

/** `attestation.json`: a DSSE envelope around an in-toto statement. */
export const envelope = z.strictObject({
  payloadType: z.literal('application/vnd.in-toto+json'),
  payload: z.string(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.string() })),
});
export type Envelope = z.infer<typeof envelope>;

const descriptor = z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: sha256Hex }) });

/** The envelope's payload: an in-toto Statement v1 with the test-result predicate; its only subject is the manifest. */
export const statement = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([
    z.strictObject({
      name: z.literal('manifest.json'),
      digest: z.strictObject({ sha256: sha256Hex }),
      annotations: z.strictObject({
        run_id: z.string(),
        status,
        report_sha256: sha256Hex,
        chain_head: sha256Hex,
        nonce: z.string(),
        sealed_at: isoTime,
        /** The signer's public key (SPKI, DER, base64): enough to check the signature, not to trust the signer. */
        signer: z.string(),
      }),
    }),
  ]),
  predicateType: z.literal('https://in-toto.io/attestation/test-result/v0.1'),
  predicate: z.strictObject({
    result: z.enum(['PASSED', 'FAILED']),
    configuration: z.array(descriptor),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()),
  }),
});
export type Statement = z.infer<typeof statement>;

const gitId = z.string().check(z.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a git object id'));

/**
 * The payload of a landing record: the commit was judged merged with the branch's tip, and passed. An in-toto Statement v1 with the
 * test-result predicate; its configuration is the attestation of the bundle with the judgement.
 */
export const landingStatement = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([
    z.strictObject({
      /** Full name of the branch. */
      name: z.string(),
      digest: z.strictObject({ gitCommit: gitId, gitTree: gitId }),
      annotations: z.strictObject({
        /** The commit before: the only parent of the landed one. */
        tip: gitId,
        /** The bundle with the judgement. */
        run_id: z.string(),
        /** The run whose change landed. */
        parent_run_id: z.string(),
        proven_at: isoTime,
        signer: z.string(),
      }),
    }),
  ]),
  predicateType: z.literal('https://in-toto.io/attestation/test-result/v0.1'),
  predicate: z.strictObject({
    result: z.literal('PASSED'),
    configuration: z.tuple([
      z.strictObject({ name: z.literal('attestation.json'), digest: z.strictObject({ sha256: sha256Hex }) }),
    ]),
  }),
});
export type LandingStatement = z.infer<typeof landingStatement>;

const ledgerFrame = { seq: count, time: isoTime, prev: sha256Hex, hash: sha256Hex };

/**
 * One line of `ledger.jsonl`, which is append-only: pruning a run adds a line, and so does moving aside a last line
 * that a crash left half written (its bytes are kept in `file`).
 */
export const ledgerEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    ...ledgerFrame,
    kind: z.literal('run'),
    run_id: z.string(),
    status,
    manifest_sha256: sha256Hex,
    chain_head: sha256Hex,
  }),
  z.strictObject({ ...ledgerFrame, kind: z.literal('pruned'), run_id: z.string(), reason: z.string() }),
  z.strictObject({ ...ledgerFrame, kind: z.literal('torn'), file: z.string(), sha256: sha256Hex, bytes: count }),
]);
export type LedgerEntry = z.infer<typeof ledgerEntry>;

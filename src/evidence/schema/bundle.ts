import * as z from 'zod/mini';
import { count, isoTime, sha256Hex, status } from './parts.ts';

/** `manifest.json`: every file of the bundle but itself and the attestation. */
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

const ledgerFrame = { seq: count, time: isoTime, run_id: z.string(), prev: sha256Hex, hash: sha256Hex };

/** One line of `ledger.jsonl`. Lines are only ever added: a pruned run gets a line of its own. */
export const ledgerEntry = z.discriminatedUnion('kind', [
  z.strictObject({ ...ledgerFrame, kind: z.literal('run'), status, manifest_sha256: sha256Hex, chain_head: sha256Hex }),
  z.strictObject({ ...ledgerFrame, kind: z.literal('pruned'), reason: z.string() }),
]);
export type LedgerEntry = z.infer<typeof ledgerEntry>;

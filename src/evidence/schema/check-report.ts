import * as z from 'zod/mini';
import { isoTime, sha256Hex } from './parts.ts';

const check = z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string(), run: z.nullable(z.string()) });
export type CheckResult = z.infer<typeof check>;

/** `check.json`: the results of one check suite for one program and one build of Seatrial, signed by the harness. */
export const checkReportSchema = z.strictObject({
  schema_version: z.literal(1),
  suite: z.string(),
  ok: z.boolean(),
  checks: z.array(check),
  at: isoTime,
  /** The Seatrial build; another build must run the suite again. */
  build_sha256: sha256Hex,
  executable_sha256: sha256Hex,
  keyid: z.string(),
  /** Covers all other fields as canonical JSON. */
  signature: z.string(),
});
export type CheckReport = z.infer<typeof checkReportSchema>;

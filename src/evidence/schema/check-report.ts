import * as z from 'zod/mini';
import { isoTime, sha256Hex } from './parts.ts';

const check = z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string(), run: z.nullable(z.string()) });
export type CheckResult = z.infer<typeof check>;

/** `check.json`: what one suite of checks showed, about which program, by which build; signed by the harness. */
export const checkReportSchema = z.strictObject({
  schema_version: z.literal(1),
  suite: z.string(),
  ok: z.boolean(),
  checks: z.array(check),
  at: isoTime,
  /** Of this Seatrial: another build has to show it again. */
  build_sha256: sha256Hex,
  executable_sha256: sha256Hex,
  keyid: z.string(),
  /** Over all the rest, as canonical JSON. */
  signature: z.string(),
});
export type CheckReport = z.infer<typeof checkReportSchema>;

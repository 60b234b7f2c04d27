import * as z from 'zod/mini';
import { isoTime, sha256Hex } from '../schema/parts.ts';

const digest = z.record(z.string(), z.string()).check(z.refine((set) => Object.keys(set).length > 0, 'needs a digest'));

/**
 * An in-toto Statement v1 with the predicate Simple Verification Result: what Seatrial found, in the words of a specification that others
 * read. A verification summary of SLSA would fit less well: its levels are those of a build.
 */
export const verificationResult = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([
    z.strictObject({
      name: z.string(),
      digest,
      annotations: z.record(z.string(), z.string()),
    }),
  ]),
  predicateType: z.literal('https://in-toto.io/attestation/svr/v0.1'),
  predicate: z.strictObject({
    verifier: z.strictObject({ id: z.literal('urn:seatrial:verifier:v1') }),
    timeCreated: isoTime,
    properties: z.array(z.string().check(z.regex(/^SEATRIAL_[A-Z0-9_]+$/))).check(z.minLength(1)),
    /** An extension: the files that the result rests on. Other readers may ignore it. */
    evidence: z.array(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: sha256Hex }) })),
  }),
});
export type VerificationResult = z.infer<typeof verificationResult>;

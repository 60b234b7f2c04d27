import { sign, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import { canonicalJson, prettyJson } from '../../kernel/canonical.ts';

/** Says whose signatures are accepted. */
export type IsSigner = (content: Buffer, signature: Buffer) => boolean;

/** What was signed can serve for nothing else: the purpose is signed with it. */
const signedText = (purpose: string, about: unknown): Buffer => Buffer.from(`${purpose}\n${canonicalJson(about)}`);

export function writeSignedManifest(file: string, purpose: string, about: object, key: HarnessKey): void {
  const signature = sign(null, signedText(purpose, about), key.privateKey).toString('base64');
  writeFileSync(file, prettyJson({ about, signature }));
}

/** Null if there is none, or its signature is not accepted. */
export function readSignedManifest<T>(
  file: string,
  purpose: string,
  about: z.ZodMiniType<T>,
  isSigner: IsSigner,
): T | null {
  try {
    const found = z.strictObject({ about, signature: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')));
    return isSigner(signedText(purpose, found.about), Buffer.from(found.signature, 'base64')) ? found.about : null;
  } catch {
    return null;
  }
}

export const signedBy =
  (key: HarnessKey): IsSigner =>
  (content, signature) =>
    verify(null, content, key.publicKey, signature);

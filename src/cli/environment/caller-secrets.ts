import { readFileSync } from 'node:fs';
import { Masker } from '../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { type KnownSecret, secretVariables } from '../../evidence/secrets/variables.ts';

/** The credentials in the caller's environment. Read as bytes, since a value need not be text. */
export function callerSecrets(): KnownSecret[] {
  const entries = readFileSync('/proc/self/environ').toString('latin1').split('\0');
  return secretVariables(entries.map(readEntry));
}

function readEntry(entry: string): readonly [string, Buffer] {
  const split = entry.indexOf('=');
  return [entry.slice(0, split), Buffer.from(entry.slice(split + 1), 'latin1')];
}

/** The text with the caller's credentials masked, for output. */
export function withoutSecrets(text: string): string {
  return new Masker(new SecretPatterns(callerSecrets())).text(text);
}

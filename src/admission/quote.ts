import { Masker } from '../evidence/secrets/mask.ts';
import { SecretPatterns } from '../evidence/secrets/patterns.ts';

/** What a variable holds may be an endpoint or a key that was put into the wrong one: then only its length is told. */
export function quoted(text: string | null): string {
  const shown = (text ?? '').replace(/^.{61,}$|^.*:\/\/.*$/s, (hidden) => `${hidden.length} characters`);
  return JSON.stringify(new Masker(new SecretPatterns([])).text(shown));
}

import { Masker } from '../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';

/** A variable may hold an endpoint or key by mistake: then shows only its length. */
export function quoted(text: string | null): string {
  const shown = (text ?? '').replace(/^.{61,}$|^.*:\/\/.*$/s, (hidden) => `${hidden.length} characters`);
  return JSON.stringify(new Masker(new SecretPatterns([])).text(shown));
}

import type { HarnessKey } from '../bundle/keys.ts';

/** A value that must never be stored, by the name it is told apart by. */
export interface KnownSecret {
  readonly name: string;
  readonly value: Buffer;
}

/** Shorter ones are words that occur everywhere; masking them would hide the output and keep no secret. */
const MIN_BYTES = 8;
const MIN_WORD_BYTES = 16;
const MIN_DISTINCT = 3;

const ANYWHERE = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE/;
/** As the end of a word of the name: `APIKEY` and `OAUTH` count, `KEYBOARD` and `GIT_AUTHOR_NAME` do not. */
const WORD_END = /(KEY|KEYS|AUTH|AUTHORIZATION|SESSION|PRIVATE|PASS|JWT|PAT|CREDS?)$/;
/** What a session calls its parts, and what only says where a credential lies or of which kind it is. */
const HARMLESS =
  /^(XDG_SESSION_\w+|DESKTOP_SESSION|DBUS_SESSION_\w+|SESSION_MANAGER)$|_(SOCK|SOCKET|FILE|PATH|DIR|TYPE|METHOD|ALGORITHM)$/;

/** The values of those variables whose names look like credentials, and passwords inside the addresses of any. */
export function secretVariables(variables: Iterable<readonly [name: string, value: Buffer]>): KnownSecret[] {
  return [...variables].flatMap(([name, value]) => {
    const values = looksLikeCredential(name) ? partsOf(value) : passwordsIn(value);
    return values.map((secret) => ({ name: safeName(name), value: secret }));
  });
}

/** The values of all of these variables, whatever they are called. */
export function allValues(variables: Iterable<readonly [name: string, value: string]>): KnownSecret[] {
  return [...variables].flatMap(([name, value]) =>
    partsOf(Buffer.from(value)).map((part) => ({ name: safeName(name), value: part })),
  );
}

/** The key that seals bundles: its secret half, from which every form of the key is made. */
export function secretsOfKey({ privateKey }: Pick<HarnessKey, 'privateKey'>): KnownSecret[] {
  const { d } = privateKey.export({ format: 'jwk' });
  return d === undefined ? [] : [{ name: 'harness key', value: Buffer.from(d, 'base64url') }];
}

function looksLikeCredential(name: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS.test(upper)) return false;
  return ANYWHERE.test(upper) || upper.split(/[^A-Z0-9]/).some((word) => WORD_END.test(word));
}

/** The value as a whole, and each long word of one that has several: a token behind its scheme, the lines of a key. */
function partsOf(value: Buffer): Buffer[] {
  const text = value.toString('latin1').trim();
  const words = text.split(/\s+/).filter((word) => word.length >= MIN_WORD_BYTES && isMixed(word));
  return [...new Set([text, ...words])].filter(isTelling).map((part) => Buffer.from(part, 'latin1'));
}

function passwordsIn(value: Buffer): Buffer[] {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^@/\s]+)@/i.exec(value.toString('latin1'))?.[1];
  return found === undefined || !isTelling(found) ? [] : [Buffer.from(found, 'latin1')];
}

const isTelling = (text: string): boolean => text.length >= MIN_BYTES && new Set(text).size >= MIN_DISTINCT;
const isMixed = (word: string): boolean => /[0-9]/.test(word) && /[A-Za-z]/.test(word);

/** Stands in logs and JSON lines: it must not end a string or a line. */
const safeName = (name: string): string => name.replace(/[^A-Za-z0-9_.-]/g, '?').slice(0, 64);

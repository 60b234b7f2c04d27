import type { HarnessKey } from '../bundle/keys.ts';

/** A value that must never be stored, and its name. */
export interface KnownSecret {
  readonly name: string;
  readonly value: Buffer;
}

/** Shorter values occur everywhere as ordinary words; masking them would garble the output and protect nothing. */
const MIN_BYTES = 8;
const MIN_WORD_BYTES = 16;
const MIN_DISTINCT = 3;

const ANYWHERE =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|WEBHOOK|CONN(?:ECTION)?_?STR|MNEMONIC|KEYSTORE/;
/** Matched at the end of a word in the name: `APIKEY` and `OAUTH` count, `KEYBOARD` and `GIT_AUTHOR_NAME` do not. */
const WORD_END = /(KEY|KEYS|AUTH|AUTHORIZATION|SESSION|PRIVATE|PASS|JWT|PAT|CREDS?)$/;
/** Too short to be looked for inside of words. */
const WHOLE_WORD = /^(?:PWD|PW|DSN|SK|SALT|SEED|HMAC|OTP|TOTP|PIN|BEARER|NETRC|PFX|P12|KUBECONFIG|DOCKERCONFIGJSON)$/;
/** Names of session attributes, and names that only give the location or kind of a credential. */
const HARMLESS =
  /^((?:OLD)?PWD|XDG_SESSION_\w+|DESKTOP_SESSION|DBUS_SESSION_\w+|SESSION_MANAGER)$|_(SOCK|SOCKET|FILE|PATH|DIR|TYPE|METHOD|ALGORITHM)$/;

/** Values of variables whose names look like credentials, and passwords in URLs in any variable. */
export function secretVariables(variables: Iterable<readonly [name: string, value: Buffer]>): KnownSecret[] {
  return [...variables].flatMap(([name, value]) => {
    const values = looksLikeCredential(name) ? partsOf(value) : passwordsIn(value);
    return values.map((secret) => ({ name: safeName(name), value: secret }));
  });
}

/** The values of these variables, whatever their names. */
export function allValues(variables: Iterable<readonly [name: string, value: string]>): KnownSecret[] {
  return [...variables].flatMap(([name, value]) =>
    partsOf(Buffer.from(value)).map((part) => ({ name: safeName(name), value: part })),
  );
}

/** The private scalar of the sealing key, from which every encoding of the key is derived. */
export function secretsOfKey({ privateKey }: Pick<HarnessKey, 'privateKey'>): KnownSecret[] {
  const { d } = privateKey.export({ format: 'jwk' });
  return d === undefined ? [] : [{ name: 'harness key', value: Buffer.from(d, 'base64url') }];
}

function looksLikeCredential(name: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS.test(upper)) return false;
  const words = upper.split(/[^A-Z0-9]/);
  return ANYWHERE.test(upper) || words.some((word) => WORD_END.test(word) || WHOLE_WORD.test(word));
}

/** The whole value, and each long word of a value with several: a token after its scheme, the lines of a key. */
function partsOf(value: Buffer): Buffer[] {
  const text = value.toString('latin1').trim();
  const words = text.split(/\s+/).filter((word) => word.length >= MIN_WORD_BYTES && isMixed(word));
  return [...new Set([text, ...words])].filter(isTelling).map((part) => Buffer.from(part, 'latin1'));
}

function passwordsIn(value: Buffer): Buffer[] {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^@/\s]+)@/i.exec(value.toString('latin1'))?.[1];
  return found === undefined || !isTelling(found) ? [] : [Buffer.from(found, 'latin1')];
}

const isTelling = (text: string): boolean =>
  text.length >= MIN_BYTES && new Set(text).size >= MIN_DISTINCT && !ORDINARY_VALUE.test(text) && !LOCATION.test(text);
/** Words, and the passwords that every example has: they stand in honest code, and protect nothing. */
const ORDINARY_VALUE =
  /^(?:[a-z]{1,11}|[A-Z]{1,11}|(?:password|passw0rd|postgres|changeme|secret|admin|mysql|guest|test|default|example)[\d!_-]{0,4})$/;
/** Where a credential is kept. */
const LOCATION =
  /^(?:\/|~\/|\.{1,2}\/)[\w./ -]+\.(?:json|pem|key|p12|pfx|txt|ya?ml|conf|cfg|ini|crt|cer)$|^\/(?:home|Users|root|run|etc|var|tmp)\//;
const isMixed = (word: string): boolean => /[0-9]/.test(word) && /[A-Za-z]/.test(word);

/** Masks appear in logs and JSON lines, so the name must not end a string or a line. */
const safeName = (name: string): string => name.replace(/[^A-Za-z0-9_.-]/g, '?').slice(0, 64);

import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, prettyJson } from '../../kernel/canonical.ts';
import { type HarnessKey, keyidOf } from './keys.ts';
import { envelope, type Envelope } from '../schema/bundle.ts';
import { schemaFault } from '../schema/parts.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** How a statement names its signer: the public key (SPKI, DER, base64). */
export const signerText = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64');

/** The bytes of a DSSE envelope around a statement. */
export const sealStatement = (statement: object, key: HarnessKey): Buffer =>
  Buffer.from(prettyJson(signStatement(statement, key)));

function signStatement(statement: object, key: HarnessKey): Envelope {
  const payload = Buffer.from(canonicalJson(statement));
  const signature = sign(null, preAuthEncoding(payload), key.privateKey);
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.keyid, sig: signature.toString('base64') }],
  };
}

/**
 * Opens an envelope and checks its signature against the key that the statement names. The caller decides whether to trust that key.
 * Accepts only the exact bytes that `sealStatement` writes, so any changed byte is detected. Throws an error that says what is wrong.
 */
export function openStatement<T>(
  bytes: Buffer,
  decode: (value: unknown) => T,
  signerOf: (statement: T) => string,
): { readonly statement: T; readonly keyid: string } {
  const { payload, signature } = openEnvelope(bytes, prettyJson);
  const statement = decode(JSON.parse(payload.toString('utf8')));
  const { signer, keyid } = readSigner(signerOf(statement));
  if (signer.asymmetricKeyType !== 'ed25519') throw new TypeError('its key is not an ed25519 key');
  if (keyid !== signature.keyid) throw new TypeError('keyid does not match its key');
  if (!verify(null, preAuthEncoding(payload), signer, fromBase64(signature.sig, 'signature')))
    throw new TypeError('the signature is invalid');
  return { statement, keyid: signature.keyid };
}

let lastSigner: { readonly text: string; readonly signer: KeyObject; readonly keyid: string } | null = null;

/** Remembers the last one: thousands of bundles in a row have the same signer. */
function readSigner(text: string): { readonly signer: KeyObject; readonly keyid: string } {
  if (lastSigner?.text === text) return lastSigner;
  const signer = createPublicKey({ key: fromBase64(text, 'signer'), format: 'der', type: 'spki' });
  lastSigner = { text, signer, keyid: keyidOf(signer) };
  return lastSigner;
}

/** The bytes of an envelope on one line, as JSON lines have it. */
export const sealStatementLine = (statement: object, key: HarnessKey): Buffer =>
  Buffer.from(lineOf(signStatement(statement, key)));

/** Opens what `sealStatementLine` wrote. The statement names no key: only one of `keys` may have signed it. Throws an error that says what is wrong. */
export function openStatementLine<T, K extends { readonly keyid: string; readonly publicKey: KeyObject }>(
  bytes: Buffer,
  decode: (value: unknown) => T,
  keys: readonly K[],
): { readonly statement: T; readonly key: K } {
  const { payload, signature } = openEnvelope(bytes, lineOf);
  const statement = decode(JSON.parse(payload.toString('utf8')));
  const key = keys.find(({ keyid }) => keyid === signature.keyid);
  if (key === undefined)
    throw new TypeError(`signed by key ${signature.keyid.slice(0, 16)}…, which is not trusted here`);
  if (!verify(null, preAuthEncoding(payload), key.publicKey, fromBase64(signature.sig, 'signature')))
    throw new TypeError('the signature is invalid');
  return { statement, key };
}

const lineOf = (value: Envelope): string => `${JSON.stringify(value)}\n`;

function openEnvelope(bytes: Buffer, written: (value: Envelope) => string) {
  const outer = envelope.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!outer.success) throw new TypeError(schemaFault(outer.error));
  if (!Buffer.from(written(outer.data)).equals(bytes)) throw new TypeError('not in the form Seatrial writes');
  const [signature, second] = outer.data.signatures;
  if (signature === undefined || second !== undefined) throw new TypeError('must have exactly one signature');
  return { payload: fromBase64(outer.data.payload, 'payload'), signature };
}

/** DSSE pre-authentication encoding: the signed bytes include type and lengths, so they parse in only one way. */
export function preAuthEncoding(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload]);
}

function fromBase64(text: string, what: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new TypeError(`its ${what} is not canonical base64`);
  return bytes;
}

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { SignInName } from '../../evidence/schema/sign-in.ts';
import { systemCode } from '../../kernel/errors.ts';
import { SIGN_INS, type SignedIn, type SignInPlace } from './programs.ts';

/** A program's own sign-in, which the gateway uses in its place. */
export interface SignIn {
  readonly program: SignInName;
  readonly place: SignInPlace;
}

export type SignInState =
  | { readonly kind: 'ready'; readonly signedIn: SignedIn }
  | { readonly kind: 'expired'; readonly signedIn: SignedIn }
  | { readonly kind: 'absent' }
  /** `why` ends a sentence that begins with the place. */
  | { readonly kind: 'unusable'; readonly why: string };

const MAX_BYTES = 1024 * 1024;

export function signInOf(program: SignInName, env: Readonly<Record<string, string | undefined>>): SignIn {
  return { program, place: SIGN_INS[program].place(env) };
}

/** What the program's sign-in left, as it is now. Only reads: its owner's program renews it. Never throws. */
export function readSignIn({ program, place }: SignIn, now: number): SignInState {
  const content = contentOf(place);
  if (content.kind !== 'content') return content;
  const found = SIGN_INS[program].read(content.text);
  if (typeof found === 'string') return { kind: 'unusable', why: found };
  // They become headers.
  if (!PRINTABLE.test(found.token) || !PRINTABLE.test(found.accountId ?? 'x'))
    return { kind: 'unusable', why: 'holds a token with invalid characters' };
  const isExpired = found.expiresAt !== null && found.expiresAt <= now;
  return { kind: isExpired ? 'expired' : 'ready', signedIn: found };
}

const PRINTABLE = /^[\x21-\x7e]+$/;

type Content = { readonly kind: 'content'; readonly text: string } | Exclude<SignInState, { signedIn: unknown }>;

function contentOf(place: SignInPlace): Content {
  if (place.kind === 'variable')
    return place.value === '' ? { kind: 'absent' } : { kind: 'content', text: place.value };
  try {
    // Reading a pipe would never end.
    const fd = openSync(place.path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return { kind: 'unusable', why: 'is not a file' };
      if (stat.size > MAX_BYTES) return { kind: 'unusable', why: 'is too large' };
      return { kind: 'content', text: readFileSync(fd, 'utf8') };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'absent' }
      : { kind: 'unusable', why: `cannot be read (${code ?? 'unknown error'})` };
  }
}

/** The secrets of a sign-in, by name; none if there is no sign-in. */
export function secretsOfSignIn(signIn: SignIn): Readonly<Record<string, string>> {
  const state = readSignIn(signIn, 0);
  if (!('signedIn' in state)) return {};
  const found = Object.entries(state.signedIn.secrets);
  return Object.fromEntries(found.map(([name, value]) => [`${signIn.program}.${name}`, value]));
}

/** Why a sign-in may not be sent to this address; null if it may. It is for its provider alone, or for this machine. */
export function signInTargetFault(program: SignInName, baseUrl: string): string | null {
  const { host } = SIGN_INS[program];
  const { hostname, protocol, port } = new URL(baseUrl);
  if (LOOPBACK.test(hostname)) return null;
  return hostname === host && protocol === 'https:' && port === ''
    ? null
    : `is not at ${host}; a login is sent to its own provider alone`;
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

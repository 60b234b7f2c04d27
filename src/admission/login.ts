import type { SignInName } from '../evidence/schema/sign-in.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';
import { SIGN_INS } from '../gateway/sign-in/programs.ts';
import { readSignIn, signInOf } from '../gateway/sign-in/read.ts';

/** What is known of a program's own sign-in. Never contains its values. */
export interface SignInFact {
  readonly state: 'ready' | 'expired' | 'absent' | 'unusable';
  /** A path, or the name of a variable. */
  readonly where: string;
  /** In milliseconds; null: unknown. */
  readonly expiresAt: number | null;
  /** Of one that is unusable: the end of a sentence that begins with `where`. */
  readonly why: string | null;
}

export function signInFact(
  program: SignInName,
  env: Readonly<Record<string, string | undefined>>,
  now: number,
): SignInFact {
  const signIn = signInOf(program, env);
  const state = readSignIn(signIn, now);
  return {
    state: state.kind,
    where: signIn.place.kind === 'file' ? signIn.place.path : signIn.place.variable,
    expiresAt: 'signedIn' in state ? state.signedIn.expiresAt : null,
    why: state.kind === 'unusable' ? state.why : null,
  };
}

interface LoginUse {
  readonly engine: string;
  readonly provider: string;
  readonly login: SignInName;
}

/** Why an engine may not use a login, in one sentence; null if it may. */
export function loginFault(
  { engine, provider, login }: LoginUse,
  { logins }: Pick<AdmissionPolicy, 'logins'>,
): string | null {
  const providers = Object.keys(logins);
  if (providers.length === 0)
    return `${engine} takes keys only: a login serves codex, claude, pi with openai-codex, and case through its bridge`;
  const allowed = Object.hasOwn(logins, provider) ? (logins[provider]?.of ?? []) : [];
  if (allowed.length === 0) return `${engine} uses a login for ${providers.join(', ')} only; ${provider} takes a key`;
  if (!allowed.includes(login))
    return `${engine} may use the login of ${allowed.join(' or ')} for ${provider}, not that of ${login}`;
  return SIGN_INS[login].provider === provider
    ? null
    : `a login of ${login} is for ${SIGN_INS[login].provider}, not for ${provider}`;
}

/** The time of expiry as people read it. */
export const expiryText = (expiresAt: number | null): string =>
  expiresAt === null ? 'expiry not known' : `valid until ${new Date(expiresAt).toISOString()}`;

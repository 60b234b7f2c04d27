import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { SignInName } from '../../evidence/schema/sign-in.ts';
import type { Clock } from '../../kernel/clock.ts';
import { credentialValues, Redactor, redactUpstream } from '../redactor.ts';
import type { GatewayPlan } from '../types.ts';
import { WIRES } from '../wires/list.ts';
import { SIGN_INS } from './programs.ts';
import { readSignIn, type SignInState } from './read.ts';

/** `key`: for what the engine receives, in case a provider echoes the credential. `all`: for what is recorded. */
export interface Redactors {
  readonly key: Redactor;
  readonly all: Redactor;
}

/** The provider's credential, as it is at each request. A sign-in is read again each time: its owner's program may have renewed it. */
export class UpstreamCredential {
  readonly #plan: GatewayPlan;
  readonly #clock: Clock;
  /** All that were seen: an answer may still hold an earlier token. */
  #secrets: Readonly<Record<string, string>>;
  #headers: Readonly<Record<string, string>>;
  #redactors: Redactors;

  constructor(plan: GatewayPlan, clock: Clock) {
    const key = plan.upstream?.key ?? null;
    this.#plan = plan;
    this.#clock = clock;
    this.#secrets = credentialValues(plan.upstream);
    this.#headers = typeof key === 'string' ? WIRES[plan.wire].credentials(key) : {};
    this.#redactors = this.#makeRedactors();
  }

  /** Of the last reading. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** Added where the engine sends none. */
  get usualHeaders(): Readonly<Record<string, string>> {
    return this.program === null ? {} : SIGN_INS[this.program].usualHeaders;
  }

  get redactors(): Redactors {
    return this.#redactors;
  }

  /** The program whose sign-in is used; null for a key, or none. */
  get program(): SignInName | null {
    const key = this.#plan.upstream?.key ?? null;
    return key === null || typeof key === 'string' ? null : key.program;
  }

  /** To be called before each request. Null: it can be sent. */
  refresh(): Reason<'blocked'> | null {
    const key = this.#plan.upstream?.key ?? null;
    if (key === null || typeof key === 'string') return null;
    const state = readSignIn(key, this.#clock.now().getTime());
    if (state.kind !== 'ready') return loginReason(key.program, state);
    const { token, secrets } = state.signedIn;
    this.#headers = SIGN_INS[key.program].headers(state.signedIn);
    if (!Object.values(this.#secrets).includes(token)) {
      this.#secrets = { ...this.#secrets, ...numbered(secrets, Object.keys(this.#secrets).length) };
      this.#redactors = this.#makeRedactors();
    }
    return null;
  }

  #makeRedactors(): Redactors {
    return { key: new Redactor(this.#secrets), all: redactUpstream(this.#plan.upstream, this.#secrets) };
  }
}

/** Under names that earlier values do not have. */
function numbered(secrets: Readonly<Record<string, string>>, from: number): Record<string, string> {
  return Object.fromEntries(Object.values(secrets).map((value, at) => [`renewed ${from + at}`, value]));
}

/** Why a sign-in cannot be used, with the command that renews it. */
function loginReason(program: SignInName, state: Exclude<SignInState, { kind: 'ready' }>): Reason<'blocked'> {
  const { renew } = SIGN_INS[program];
  return state.kind === 'expired'
    ? reason('login_expired', { program, renew })
    : reason('login_missing', { program, renew });
}

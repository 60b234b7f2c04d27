import { randomBytes, randomUUID } from 'node:crypto';
import type { SignInName } from '../../evidence/schema/sign-in.ts';
import { unsignedToken } from '../../gateway/sign-in/claims.ts';

/** What an engine sees in place of a program's sign-in: of the same shape, valid in this run only, and far from its expiry. */
export interface StandInLogin {
  readonly token: string;
  readonly accountId: string;
  /** In milliseconds: so late that no client tries to refresh. */
  readonly expiresAt: number;
  /** In milliseconds. */
  readonly issuedAt: number;
}

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

export function standInLogin(program: SignInName, now: number): StandInLogin {
  const id = randomBytes(16).toString('hex');
  const login = { accountId: randomUUID(), expiresAt: now + LIFETIME_MS, issuedAt: now };
  switch (program) {
    case 'claude':
      return { ...login, token: `sk-ant-oat01-seatrial-${id}` };
    case 'codex':
    case 'pi':
      return { ...login, token: unsignedToken({ ...login, id }) };
    default:
      return program satisfies never;
  }
}

/** Cannot refresh anything. */
export const STAND_IN_REFRESH = 'seatrial-none';

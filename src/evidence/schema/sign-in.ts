import * as z from 'zod/mini';

/** The programs whose own sign-in the gateway can use. */
export const SIGN_IN = { codex: 'codex', claude: 'claude', pi: 'pi' } as const;

export const signInName = z.enum(SIGN_IN);
export type SignInName = z.infer<typeof signInName>;

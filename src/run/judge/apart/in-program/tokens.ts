import type { PlainTest } from '../forms/form.ts';

/** Reported together with a failing test if one of its own assertions failed: everything before it worked. */
export const asserted = ({ id, file }: PlainTest): PlainTest => ({ id: `${id} (asserted)`, file });

import type { PlainTest } from '../forms/form.ts';

/** Reported beside a failing test where an assertion of its own failed: what came before it worked. */
export const asserted = ({ id, file }: PlainTest): PlainTest => ({ id: `${id} (asserted)`, file });

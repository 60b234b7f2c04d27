import { parse, patch } from '@decimalturn/toml-patch';
import * as z from 'zod/mini';

const file = z.looseObject({ seatrial: z.optional(z.looseObject({})) });

/** Sets `seatrial.expected_tests` in the text of a task.toml; preserves comments, order and formatting. */
export function recordExpectedTests(text: string, ids: readonly string[]): string {
  const task = file.parse(parse(text));
  const recorded = { ...task, seatrial: { ...task.seatrial, expected_tests: ids } };
  return patch(text, recorded, { multilineArray: true, trailingComma: true });
}

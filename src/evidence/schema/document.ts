import { messageOf } from '../../kernel/errors.ts';
import { schemaFault } from './parts.ts';

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string };

export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: Parameters<typeof schemaFault>[0] };
}

/** Never throws: returns a one-line fault for a document that is not JSON or does not match its schema. */
export function parseBytes<T>(bytes: Buffer | string, schema: Schema<T>): Parsed<T> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return { ok: false, fault: messageOf(error) };
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, fault: schemaFault(parsed.error) };
}

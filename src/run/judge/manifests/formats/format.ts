import type { Table } from '../value.ts';

export type Reading = { readonly table: Table } | { readonly fault: string };

/** How a kind of manifest is read and written. Comments are lost; the tools that read the result do not need them. */
export interface Format {
  /** Never throws. Strict: what two parsers could read in two ways is a fault. */
  readonly read: (text: string) => Reading;
  readonly write: (table: Table) => string;
}

/** Larger ones are no manifest that a person wrote. */
const MAX_LENGTH = 1024 * 1024;

/** The text without its byte order mark; a fault where it is too large to be read. */
export function openText(text: string): { readonly text: string } | { readonly fault: string } {
  if (text.length > MAX_LENGTH) return { fault: `is larger than ${MAX_LENGTH} characters` };
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
}

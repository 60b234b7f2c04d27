import { parse } from 'yaml';
import { messageOf } from '../../../../kernel/errors.ts';
import type { Reading } from '../formats/format.ts';
import { tableOf } from '../value.ts';

/** One document that is a map, without references from one place to another. */
export function parseYamlTable(text: string): Reading {
  try {
    const parsed: unknown = parse(text, { maxAliasCount: 0, schema: 'failsafe' });
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { table: tableOf(parsed) };
    return { fault: 'is not a YAML map' };
  } catch (error) {
    return { fault: `is not YAML: ${messageOf(error).split('\n')[0] ?? ''}` };
  }
}

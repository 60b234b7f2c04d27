import { parse, stringify, TomlError } from 'smol-toml';
import { MAX_DEPTH, plainOf, tableOf } from '../value.ts';
import { type Format, openText, type Reading } from './format.ts';

/** Dotted keys, inline tables and headers are three spellings of one table. Whole numbers stay apart from floats. */
export const toml: Format = {
  read: readTomlTable,
  write: (table) => stringify(plainOf(table), { numbersAsFloat: true, maxDepth: 2 * MAX_DEPTH }),
};

function readTomlTable(text: string): Reading {
  const opened = openText(text);
  return 'fault' in opened ? opened : parseTomlTable(opened.text);
}

/** Its length is the caller's to limit. */
export function parseTomlTable(text: string): Reading {
  try {
    return { table: tableOf(parse(text, { integersAsBigInt: true, maxDepth: MAX_DEPTH })) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: error.message };
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'invalid document';
    return { fault: `is not TOML: line ${error.line}, column ${error.column}: ${what}` };
  }
}

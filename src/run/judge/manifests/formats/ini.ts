import { isTable, type Table, textOf, type Value } from '../value.ts';
import { type Format, openText, type Reading } from './format.ts';

/**
 * The part of INI that Python's configparser and iniconfig (which pytest uses) read alike: sections of `key = value`, longer
 * values on indented lines. A table of sections, each a table of texts.
 */
export const ini: Format = { read: readIni, write: writeIni };

/** One of the two readers ends a line at each of these, the other does not. */
const ODD_LINE_ENDS = /\r(?!\n)|[\v\f\u001C-\u001E\u0085\u2028\u2029]/;
const HEADER = /^\[([^[\]#;]+)\]\s*(?:[#;].*)?$/;
const OPTION = /^([^=:]*[^=:\s])\s*[=:]\s*(.*)$/;

function readIni(text: string): Reading {
  const opened = openText(text);
  if ('fault' in opened) return opened;
  if (ODD_LINE_ENDS.test(opened.text)) return { fault: 'has line ends that readers disagree about' };
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | null = null;
  let option: string | null = null;
  for (const [index, line] of opened.text.split(/\r?\n/).entries()) {
    const fault = (what: string): Reading => ({ fault: `line ${index + 1} ${what}` });
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    if (/^\s/.test(line)) {
      if (section === null || option === null) return fault('is indented but continues no value');
      section.set(option, `${section.get(option) ?? ''}\n${trimmed}`);
      continue;
    }
    if (line.startsWith('[')) {
      const name = HEADER.exec(line)?.[1];
      if (name === undefined) return fault('is no section header');
      if (sections.has(name)) return fault(`opens the section [${name}] a second time`);
      sections.set(name, (section = new Map<string, string>()));
      option = null;
      continue;
    }
    const [, key, value = ''] = OPTION.exec(line) ?? [];
    if (section === null || key === undefined) return fault('is no `key = value` of a section');
    if ([...section.keys()].some((known) => known.toLowerCase() === key.toLowerCase())) {
      return fault(`sets ${key} a second time`);
    }
    section.set((option = key), value.trim());
  }
  return { table: sections };
}

function writeIni(table: Table): string {
  return [...table]
    .flatMap(([name, section]) => (isTable(section) ? [`[${name}]\n${[...section].map(writeOption).join('')}`] : []))
    .join('\n');
}

function writeOption([key, value]: readonly [string, Value]): string {
  const [first = '', ...more] = textOf(value).split('\n');
  return `${[`${key} = ${first}`.trimEnd(), ...more.map((line) => `    ${line}`)].join('\n')}\n`;
}

import { isList, isTable, type Table, textOf, type Value } from '../value.ts';
import { type Format, openText, type Reading } from './format.ts';

/**
 * `module`, `go` and `toolchain` are texts. `require`, `replace` and `exclude` are tables: from a module to its version (with
 * `// indirect` where that stands beside it), from what is replaced to what stands in for it, from `module version` to nothing.
 * All other directives are lists of their lines.
 */
export const goMod: Format = { read: readGoMod, write: writeGoMod };

const SINGLE = new Set(['module', 'go', 'toolchain']);
const TABLES = new Set(['require', 'replace', 'exclude']);
const INDIRECT = /^\/\/\s*indirect\b/;

function readGoMod(text: string): Reading {
  const opened = openText(text);
  if ('fault' in opened) return opened;
  const directives = new Map<string, Value>();
  let block: string | null = null;
  for (const [index, line] of opened.text.split(/\r?\n/).entries()) {
    const fault = (what: string): Reading => ({ fault: `line ${index + 1} ${what}` });
    const read = readLine(line);
    if (read === null) return fault('is no line of a go.mod file');
    const { words, comment } = read;
    const [first] = words;
    if (first === undefined) continue;
    if (first === ')' && block !== null && words.length === 1) {
      block = null;
      continue;
    }
    if (block === null && words.length === 2 && words[1] === '(') {
      block = first;
      continue;
    }
    const verb: string = block ?? first;
    const problem = add(directives, verb, block === null ? words.slice(1) : words, comment);
    if (problem !== null) return fault(problem);
  }
  return block === null ? { table: directives } : { fault: `does not close ${block} (` };
}

interface Line {
  readonly words: readonly string[];
  readonly comment: string;
}

function readLine(line: string): Line | null {
  const words: string[] = [];
  let rest = line.trimStart();
  while (rest !== '' && !rest.startsWith('//')) {
    const word = /^"[^"\\]*"|^`[^`]*`|^[()[\],]|^=>|^(?:(?!\/\/|\/\*|=>)[^\s"`()[\],])+/.exec(rest)?.[0];
    if (word === undefined) return null;
    words.push(/^["`]/.test(word) ? word.slice(1, -1) : word);
    rest = rest.slice(word.length).trimStart();
  }
  return { words, comment: rest };
}

/** Null: it fits. */
function add(directives: Map<string, Value>, verb: string, words: readonly string[], comment: string): string | null {
  if (SINGLE.has(verb)) {
    const [value, more] = words;
    if (value === undefined || more !== undefined) return `is no ${verb} directive`;
    if (directives.has(verb)) return `has a second ${verb} directive`;
    directives.set(verb, value);
    return null;
  }
  if (!TABLES.has(verb)) {
    const lines = directives.get(verb);
    directives.set(verb, [...(isList(lines) ? lines : []), words.map(quote).join(' ')]);
    return null;
  }
  const entry = entryOf(verb, words, comment);
  if (entry === null) return `is no ${verb} directive`;
  const known = directives.get(verb);
  const table = new Map(isTable(known) ? known : []);
  if (table.has(entry[0])) return `has a second ${verb} of ${entry[0]}`;
  directives.set(verb, table.set(...entry));
  return null;
}

function entryOf(verb: string, words: readonly string[], comment: string): [string, string] | null {
  if (verb === 'replace') {
    const arrow = words.indexOf('=>');
    const target = words.slice(arrow + 1);
    const isWhole = (arrow === 1 || arrow === 2) && (target.length === 1 || target.length === 2);
    return isWhole ? [words.slice(0, arrow).map(quote).join(' '), target.map(quote).join(' ')] : null;
  }
  const [path, version, more] = words;
  if (path === undefined || version === undefined || more !== undefined) return null;
  if (verb === 'exclude') return [`${quote(path)} ${quote(version)}`, ''];
  return [quote(path), INDIRECT.test(comment) ? `${version} // indirect` : version];
}

function writeGoMod(table: Table): string {
  return [...table]
    .flatMap(([verb, value]): readonly string[] => {
      if (isList(value)) return value.map((line) => `${verb} ${textOf(line)}`);
      if (!isTable(value)) return [`${verb} ${quote(textOf(value))}`];
      return [...value].map(([key, target]) => `${verb} ${key}${targetOf(verb, textOf(target))}`);
    })
    .map((line) => `${line}\n`)
    .join('');
}

function targetOf(verb: string, target: string): string {
  switch (verb) {
    case 'exclude':
      return '';
    case 'replace':
      return ` => ${target}`;
    default:
      return ` ${target}`;
  }
}

function quote(word: string): string {
  if (/^(?:[()[\],]|=>)$/.test(word)) return word;
  return /^[^\s"'`()[\]{},]+$/.test(word) && !word.includes('//') ? word : `"${word}"`;
}

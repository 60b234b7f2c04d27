import { randomInt } from 'node:crypto';
import { nameOf, parentOf } from '../../deciding/path-parts.ts';
import { applyEdits } from '../../syntax/edits.ts';
import { parse } from '../../syntax/parse.ts';
import { OWN_NAME } from './program.ts';

const MAX_LINES = 300;
const MAX_INDENT = 12;

/** A test module that is written inside a product file. */
export interface InlineModule {
  readonly path: string;
  readonly name: string;
}

/** Whether Rust code asks for the location of its caller. */
export const asksForPlace = (text: string): boolean => /\b(?:Location|track_caller)\b/.test(text);

/**
 * Moves tests to randomly drawn files, lines and columns, for code that asks for the location of its caller. `texts`: file contents by
 * path; test modules in them move to files of their own. Null: a file is too large to parse.
 */
export async function displace(
  texts: ReadonlyMap<string, string>,
  inline: readonly InlineModule[],
): Promise<ReadonlyMap<string, string> | null> {
  const shared = new Set(inline.map(({ path }) => path));
  const placed = new Map<string, string>();
  for (const [path, text] of texts) {
    const names = new Set(inline.filter((one) => one.path === path).map(({ name }) => name));
    const root = (await parse('rust', text))?.root;
    if (root === undefined) return null;
    const modules = root.children.filter(
      (node) => node.type === 'mod_item' && node.child('body') !== null && names.has(node.child('name')?.text ?? ''),
    );
    const edits = [];
    for (const [at, module] of modules.entries()) {
      const body = module.child('body') ?? module;
      const file = `${OWN_NAME}_${nameOf(path).replace(/\W/g, '_')}_${at}.rs`;
      placed.set(parentOf(path) === '' ? file : `${parentOf(path)}/${file}`, await scatter(body.text.slice(1, -1)));
      edits.push({ start: module.start, end: module.start, text: `#[path = "${file}"] ` });
      edits.push({ start: body.start, end: body.end, text: ';' });
    }
    placed.set(path, shared.has(path) ? applyEdits(text, edits) : await scatter(text));
  }
  return placed;
}

/** Compiler options that give the files other names in the program than on disk. */
export function otherNames(paths: readonly string[], dir: string): string {
  // Cargo names files relative to the package or to its workspace.
  const named = dir === '' ? paths : paths.flatMap((path) => [path, path.slice(dir.length + 1)]);
  const plain = named.filter((path) => !/[\s=]/.test(path));
  return plain.map((path, at) => ` --remap-path-prefix=${path}=${OWN_NAME}/${at}.rs`).join('');
}

/** The same code with its lines moved down and its columns shifted. */
async function scatter(text: string): Promise<string> {
  const fixed = [
    ...((await parse('rust', text))?.root.ofType('string_literal', 'raw_string_literal', 'block_comment') ?? []),
  ];
  const isInside = (at: number): boolean => fixed.some(({ start, end }) => start < at && at < end);
  let at = 0;
  const lines = text.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    return isInside(start) || line.trim() === '' ? line : `${' '.repeat(randomInt(MAX_INDENT))}${line.trimStart()}`;
  });
  return `${'\n'.repeat(randomInt(MAX_LINES))}${lines.join('\n')}`;
}

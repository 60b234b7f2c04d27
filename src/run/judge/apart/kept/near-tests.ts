import { nameOf, parentOf } from '../../deciding/path-parts.ts';
import { Draw } from '../../must-fail/draw.ts';
import { fileOfId, locateTest } from '../../must-fail/locate/locate.ts';
import { TestSources } from '../../must-fail/locate/site.ts';
import type { ApartRequest } from '../apart-verdict.ts';

const MAX_TESTS = 30;
const MAX_FILES = 3;
/** Files and tests of a large suite that are looked at. */
const MAX_LOOKED_AT = 300;

/** Names that say nothing about what a file is for. */
const NAMELESS = /^(?:index|main|mod|lib|__init__|core|util|utils)$/;

type NearRequest = Pick<ApartRequest, 'record' | 'kept' | 'fileOf' | 'deciding' | 'base' | 'product' | 'seed'>;

/** Tests that passed before, those first that use what the patch changes: only few files, since each costs a program. */
export async function nearTests(request: NearRequest): Promise<readonly string[]> {
  const { record, kept, fileOf, deciding, base, product, seed } = request;
  const draw = new Draw(seed, 'near tests');
  const fileOfTest = (id: string): string => fileOf(id) ?? fileOfId(record.runner, id);
  const stems = product.map(stemOf).filter((stem) => stem.length > 1);
  const changed = new Set(product.flatMap((path) => changedNames(base.read(path) ?? '', deciding.read(path) ?? '')));
  const files = draw
    .shuffled([...new Set(kept.map(fileOfTest))])
    .slice(0, MAX_LOOKED_AT)
    .map((file) => {
      const words = wordsOf(deciding.read(file) ?? file);
      return { file, near: Number(stems.some((stem) => words.has(stem))), named: countIn(changed, words) };
    })
    .toSorted((a, b) => b.named - a.named || b.near - a.near)
    .slice(0, MAX_FILES)
    .map(({ file }) => file);
  const ids = draw.shuffled(kept.filter((id) => files.includes(fileOfTest(id)))).slice(0, MAX_LOOKED_AT);
  const sources = new TestSources(deciding);
  const scored: { readonly id: string; readonly named: number }[] = [];
  for (const id of ids) {
    const { site } = await locateTest(record.runner, id, sources);
    const text = site === null ? '' : (deciding.read(site.path)?.slice(site.start, site.end) ?? '');
    scored.push({ id, named: countIn(changed, wordsOf(text)) });
  }
  return scored
    .toSorted((a, b) => b.named - a.named)
    .slice(0, MAX_TESTS)
    .map(({ id }) => id);
}

/** The name that other files know a file by. */
function stemOf(path: string): string {
  const stem = nameOf(path).replace(/\..*$/, '');
  return NAMELESS.test(stem) && parentOf(path) !== '' ? nameOf(parentOf(path)) : stem;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\p{L}\p{N}_$]+/gu));

const countIn = (names: ReadonlySet<string>, words: ReadonlySet<string>): number =>
  [...names].filter((name) => words.has(name)).length;

const DEFINES =
  /\b(?:def|class|func|function\*?|fn|const|let|var|struct|interface)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)|^\s*(?:(?:export|async|static|public|private|get|set)\s+|(?:module\.)?exports\.)*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:=[^=]|\([^()]*\)\s*\{|:\s*(?:async\b|function\b|\())/u;

/** What is defined in or around the lines in which two versions of a file differ. */
function changedNames(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [...namesAround(now, new Set(old)), ...namesAround(old, new Set(now))];
}

function namesAround(lines: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  // The definitions that the current line is in, with their indentation.
  let open: { readonly indent: number; readonly name: string | null }[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    const indent = line.search(/\S/);
    const match = DEFINES.exec(line);
    const name = match?.[1] ?? match?.[2] ?? null;
    // A closing bracket belongs to what it closes.
    if (!/^\s*[)\]}]/.test(line)) open = [...open.filter((one) => one.indent < indent), { indent, name }];
    if (!known.has(line)) found.push(...open.flatMap((one) => one.name ?? []));
  }
  return [...new Set(found)];
}

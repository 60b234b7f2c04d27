import { dirOfTest, locateTest } from '../must-fail/locate/locate.ts';
import { type TestFiles, TestSources } from '../must-fail/locate/site.ts';
import type { AwareLine } from './aware/aware-line.ts';

/** A change and the tests that it fixed. */
export interface FixedTests {
  readonly runner: string;
  readonly fixed: readonly string[];
  readonly fileOf: (id: string) => string | null;
  /** Files of the product that the patch changed. */
  readonly product: readonly string[];
  readonly base: TestFiles;
  readonly deciding: TestFiles;
}

const MAX_TESTS = 100;

/**
 * New product lines that contain values of a fixed test: its input and expected output, or a long text from it. Honest code may contain
 * them too, so they are only shown.
 */
export async function findFittedLines(request: FixedTests): Promise<readonly AwareLine[]> {
  const added = request.product.flatMap((path) => addedLines(path, request));
  const written = new Set(added.flatMap(({ text }) => valuesIn(text)));
  if (written.size === 0) return [];
  const fitted = new Set<string>();
  for (const text of await textsOfTests(request)) {
    const shared = [...new Set(valuesIn(text))].filter((value) => written.has(value));
    if (shared.length >= 2 || shared.some(isTelling)) for (const value of shared) fitted.add(value);
  }
  return added
    .filter(({ text }) => valuesIn(text).some((value) => fitted.has(value)))
    .map(({ path, line, text }) => ({ kind: 'fitted', path, line, text: text.trim() }));
}

interface Added {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Lines that are not in the base's file and that contain values which are not there either. */
function addedLines(path: string, { base, deciding }: FixedTests): readonly Added[] {
  const before = base.read(path) ?? '';
  const [lines, values] = [new Set(before.split('\n')), new Set(valuesIn(before))];
  return (deciding.read(path) ?? '')
    .split('\n')
    .map((text, index) => ({ path, line: index + 1, text }))
    .filter(({ text }) => !lines.has(text) && valuesIn(text).some((value) => !values.has(value)));
}

async function textsOfTests({ runner, fixed, fileOf, deciding }: FixedTests): Promise<readonly string[]> {
  const sources = new TestSources(deciding);
  const texts: string[] = [];
  for (const id of fixed.slice(0, MAX_TESTS)) {
    if (dirOfTest(runner, id, fileOf(id)) !== '') continue;
    const { site } = await locateTest(runner, id, sources);
    if (site !== null) texts.push((deciding.read(site.path) ?? '').slice(site.start, site.end));
  }
  return texts;
}

const VALUE = /"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`([^`\n]*)`|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])/g;
/** Values too common to mean anything. */
const COMMON = /^(?:[\s\d]?|10|100|1000|[-_.,;:/]|utf-?8)$/i;

/** String and number literals. */
function valuesIn(text: string): readonly string[] {
  return [...text.matchAll(VALUE)]
    .map(([, double, single, back, number]) => double ?? single ?? back ?? number ?? '')
    .filter((value) => !COMMON.test(value));
}

/** Long enough not to be there by chance. */
const isTelling = (value: string): boolean => value.length >= 6;

import type { RecordedTest } from '../../../evidence/schema/base-record.ts';
import type { BenchResult, BenchRun, TestBench } from '../base/bench.ts';

/** Names of tests on the base, mapped to their names with the patch. */
export type RenamedTests = ReadonlyMap<string, string>;

/** If a file has more tests than this, their names are not compared. */
const MAX_OF_FILE = 300;

/**
 * Finds tests whose names hold output of the product, as in `it.each(…)('%s - %s')`, where a change of the product changes the name of the
 * same test. Two names are of one test where
 * - both are from one file, in which as many names are gone as are new;
 * - what is left of the test's own name without the part that differs belongs to no other test of that file, before or after;
 * - that part can only be output: it has no plain word, which would name a feature, and is not written in any test file (`isWritten`).
 * The tests themselves are the base's in both runs. Pure.
 */
export function findRenamedTests(
  before: readonly RecordedTest[],
  now: readonly RecordedTest[],
  isWritten: (text: string) => boolean,
): RenamedTests {
  const known = new Set(before.map(({ id }) => id));
  const reported = new Set(now.map(({ id }) => id));
  const gone = byFile(before.filter(({ id }) => !reported.has(id)));
  const added = byFile(now.filter(({ id }) => !known.has(id)));
  const all = { before: byFile(before), now: byFile(now) };
  return new Map(
    [...gone].flatMap(([file, names]) => {
      const others = added.get(file) ?? [];
      if (others.length !== names.length || names.length > MAX_OF_FILE) return [];
      const pairs = pairNames(names, others, [...(all.before.get(file) ?? []), ...(all.now.get(file) ?? [])]);
      return pairs?.every(({ output }) => isOutput(output) && !isWritten(output)) === true
        ? pairs.map(({ from, to }) => [from, to] as const)
        : [];
    }),
  );
}

interface Pair {
  readonly from: string;
  readonly to: string;
  /** The part of the name on the base that differs. */
  readonly output: string;
}

/** A name split into words, and the number that distinguishes tests of the same name. */
interface Name {
  readonly id: string;
  readonly words: readonly string[];
  readonly number: string;
}

/** Null: at least one name has no partner, or more than one. */
function pairNames(gone: readonly string[], added: readonly string[], all: readonly string[]): readonly Pair[] | null {
  const others = added.map(nameOf);
  const names = all.map(nameOf);
  const pairs: Pair[] = [];
  const taken = new Set<string>();
  for (const from of gone.map(nameOf)) {
    const partners = others.flatMap((to) => {
      const pair = compareNames(from, to);
      return pair !== null && isTheirsAlone(pair, [from.id, to.id], names) ? [{ to, output: pair.output }] : [];
    });
    const [partner] = partners;
    if (partner === undefined || partners.length > 1 || taken.has(partner.to.id)) return null;
    taken.add(partner.to.id);
    pairs.push({ from: from.id, to: partner.to.id, output: partner.output });
  }
  return pairs;
}

interface Shared {
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly number: string;
  readonly output: string;
}

/** Null: the test's own name is entirely different, or the same. */
function compareNames(from: Name, to: Name): Shared | null {
  if (from.number !== to.number) return null;
  const shorter = Math.min(from.words.length, to.words.length);
  const isSame = (index: number, fromEnd: boolean): boolean =>
    fromEnd ? from.words.at(-1 - index) === to.words.at(-1 - index) : from.words[index] === to.words[index];
  let head = 0;
  while (head < shorter && isSame(head, false)) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(tail, true)) tail += 1;
  const output = from.words.slice(head, from.words.length - tail).join(' ');
  const changed = to.words.slice(head, to.words.length - tail);
  const shared = { head: from.words.slice(0, head), tail: from.words.slice(from.words.length - tail) };
  if (output === '' || changed.length === 0 || !hasOwnWord(shared)) return null;
  return {
    ...shared,
    number: from.number,
    output,
  };
}

function isTheirsAlone({ head, tail, number }: Shared, own: readonly string[], names: readonly Name[]): boolean {
  return names.every(
    ({ id, words, number: other }) =>
      own.includes(id) ||
      other !== number ||
      words.length < head.length + tail.length ||
      head.some((word, index) => words[index] !== word) ||
      tail.some((word, index) => words[words.length - tail.length + index] !== word),
  );
}

/** Whether a word of the test's own name remains; the names of file and suites do not count. */
function hasOwnWord({ head, tail }: Pick<Shared, 'head' | 'tail'>): boolean {
  const own = head.slice(1 + head.findLastIndex((word) => word === '>' || word.endsWith('::')));
  return own.length + tail.length > 0;
}

/** Words, and names with dots or hyphens, say what a test is about; punctuation between words does not. */
function isOutput(text: string): boolean {
  const words = text.split(' ').filter((word) => !/^[-:=<>,;|.+\u2013\u2014\u2192]*$/.test(word));
  return words.length > 0 && words.every((word) => /[^\w$.'-]/.test(word));
}

function nameOf(id: string): Name {
  const number = / \(\d+\)$/.exec(id)?.[0] ?? '';
  return { id, number, words: id.slice(0, id.length - number.length).split(/\s+|(?<=::)/) };
}

function byFile(tests: readonly RecordedTest[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const { id, file } of tests) if (file !== null) files.set(file, [...(files.get(file) ?? []), id]);
  return files;
}

/** Runs trees with the patch's product, but takes and returns test names as on the base. */
export function benchWithNames(bench: TestBench, names: RenamedTests): Pick<TestBench, 'run'> {
  return {
    run: async ({ only, ...request }: BenchRun): Promise<BenchResult> => {
      const wanted = only === undefined ? {} : { only: only.map((id) => names.get(id) ?? id) };
      return withBaseNames(await bench.run({ ...request, ...wanted }), names);
    },
  };
}

/** The result with every test named as on the base. */
export function withBaseNames<R extends Pick<BenchResult, 'seen'>>(result: R, names: RenamedTests): R {
  const back = new Map([...names].map(([from, to]) => [to, from]));
  return { ...result, seen: result.seen.map((test) => ({ ...test, id: back.get(test.id) ?? test.id })) };
}

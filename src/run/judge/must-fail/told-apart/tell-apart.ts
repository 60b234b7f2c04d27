import pMap from 'p-map';
import { applyEdits } from '../../syntax/edits.ts';
import type { Language } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { Draw } from '../draw.ts';
import { parseTests } from '../parse-tests.ts';
import { AT_ONCE, type MustFailRequest, type Outcomes, type RunAltered } from '../request.ts';
import type { SampledSite } from '../sites.ts';
import { doneOf } from '../alter/javascript/body.ts';
import type { Alarm } from '../verdict.ts';
import type { ComparisonReader, ValueComparison } from './comparison-site.ts';
import { goComparisons } from './go.ts';
import { javascriptComparisons } from './javascript.ts';
import { otherValues } from './other-values.ts';
import { pythonComparisons } from './python.ts';
import { rustComparisons } from './rust.ts';

const READERS: Readonly<Partial<Record<Language, ComparisonReader>>> = {
  python: pythonComparisons,
  javascript: javascriptComparisons,
  typescript: javascriptComparisons,
  tsx: javascriptComparisons,
  go: goComparisons,
  rust: rustComparisons,
};

/** Per test; each needs a run, which other tests share. */
const MAX_LITERALS = 4;

/** One literal of an expected value, and its possible replacements. */
interface Question {
  readonly site: SampledSite;
  readonly test: SyntaxNode;
  readonly comparison: ValueComparison;
  readonly reader: ComparisonReader;
  readonly at: number;
  readonly literal: string;
  readonly others: readonly string[];
}

/**
 * Tests compare product values by the product's own equality. Two values that differ on the base must still differ after the patch:
 * otherwise a test that expects one of them also passes with the other.
 */
export async function tellApart(
  request: MustFailRequest,
  sites: readonly SampledSite[],
  timeoutMs: number,
): Promise<readonly Alarm[]> {
  const { base } = request;
  if (base === null) return [];
  const asked = await questionsOf(request, sites);
  const rounds = Math.max(0, ...asked.map(({ length }) => length));
  const blamed = await pMap(
    Array.from({ length: rounds }, (_, round) => asked.flatMap((questions) => questions[round] ?? [])),
    (questions) => blame(questions, base.run),
    { concurrency: AT_ONCE },
  );
  const tests = new Set(blamed.flat().flatMap(({ site }) => site.tests));
  return [...tests].map((test) => ({ test, variant: 'literal' }));

  /** The questions whose values differ on the base alone. */
  async function blame(questions: readonly Question[], onBase: RunAltered): Promise<readonly Question[]> {
    let equal = questions;
    // One other value that differs is enough.
    for (const which of [0, 1])
      equal = await passing(request.run, equal, (one) => one.others[which] ?? one.others[0] ?? one.literal);
    const calibrated = await passing(onBase, equal, ({ literal }) => literal);
    const alike = await passing(onBase, calibrated, ({ others, literal }) => others[0] ?? literal);
    return calibrated.filter((one) => !alike.includes(one));
  }

  /** The questions whose test passes when the expected value is compared with itself, made with another literal. */
  async function passing(
    run: RunAltered,
    questions: readonly Question[],
    value: (question: Question) => string,
  ): Promise<readonly Question[]> {
    if (questions.length === 0) return [];
    const ids = questions.flatMap(({ site }) => site.tests);
    const outcomes: Outcomes = await run({ files: textsWith(request, questions, value), ids, timeoutMs });
    return questions.filter(({ site }) => site.tests.every((test) => outcomes.get(test) === 'passed'));
  }
}

async function questionsOf(
  { files, seed, runner }: MustFailRequest,
  sites: readonly SampledSite[],
): Promise<readonly (readonly Question[])[]> {
  const all = await Promise.all(
    sites.map(async (site) => {
      const reader = READERS[site.language];
      const text = files.read(site.path);
      const tree = reader === undefined || text === null ? null : await parseTests(site.language, text);
      const test = tree === null ? null : nodeOf(tree.root, site);
      if (reader === undefined || test === null || !endsWhereItReturns(test, runner)) return [];
      const found = reader.comparisonsIn(test).flatMap((comparison) =>
        comparison.expected.literals.map(({ at, text: literal }) => {
          return { site, test, comparison, reader, at, literal, others: otherValues(literal, seed) };
        }),
      );
      const askable = found.filter(({ others }) => others.length > 0);
      return new Draw(seed, `told apart ${site.key}`).shuffled(askable).slice(0, MAX_LITERALS);
    }),
  );
  return all.filter(({ length }) => length > 0);
}

/** A test that ends only when it says so would never end. */
const endsWhereItReturns = (test: SyntaxNode, runner: string): boolean =>
  runner !== 'tape' && runner !== 'tap' && doneOf(test, runner) === null;

function nodeOf(root: SyntaxNode, { type, start, end }: SampledSite): SyntaxNode | null {
  for (const node of root.walk((below) => below.start <= start && end <= below.end))
    if (node.type === type && node.start === start && node.end === end) return node;
  return null;
}

function textsWith(
  { files }: MustFailRequest,
  questions: readonly Question[],
  value: (question: Question) => string,
): ReadonlyMap<string, string> {
  const paths = new Set(questions.map(({ site }) => site.path));
  return new Map(
    [...paths].map((path) => {
      const edits = questions
        .filter(({ site }) => site.path === path)
        .map((question) => {
          const { comparison, at, literal, reader, test } = question;
          const { text } = comparison.expected;
          const other = text.slice(0, at) + value(question) + text.slice(at + literal.length);
          const inserted = reader.insertion(comparison.demand(other, text), test, comparison.at);
          return { start: comparison.at, end: comparison.at, text: inserted };
        });
      return [path, applyEdits(files.read(path) ?? '', edits)];
    }),
  );
}

import { REASONS } from '../../evidence/reasons/catalogue.ts';
import { explainCode } from '../../evidence/reasons/explain.ts';
import { reasonTexts } from '../../evidence/reasons/reason.ts';
import { regressionsIn, testsRan } from '../../evidence/report/before-after.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { beforeAfterText } from '../../evidence/report/render/test-rows.ts';
import { ISOLATION_WORD } from '../../evidence/report/render/text/words.ts';
import type { RepoResult } from '../../run/judge/repository/judge-repo.ts';

const MAX_TESTS = 20;
const MAX_OUTPUT_LINES = 60;

/** What `judge` prints: the verdict first, then the tests that did not pass, then the end of what they printed. */
export function judgeLines(result: RepoResult): string[] {
  const reasons = result.faults.length === 0 ? '' : `: ${safeLine(reasonTexts(result.faults).join('; '))}`;
  return [
    `${result.verdict.toUpperCase()}  ${result.commit}${reasons}`,
    ...baseLines(result).map((line) => `      ${safeLine(line)}`),
    ...(result.seen.length === 0 ? [] : [`      tests: ${outcomesText(result.seen)}`]),
    ...(result.note === null ? [] : [`      note: ${result.note}`]),
    ...nextSteps(result).map((step) => `      next: ${step}`),
    ...separated(testLines(result.seen)),
    ...separated(outputLines(result)),
  ];
}

const separated = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

/** `3 passed, 1 failed` */
function outcomesText(seen: RepoResult['seen']): string {
  const counts = new Map<string, number>();
  for (const { outcome } of seen) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
}

function testLines(seen: RepoResult['seen']): readonly string[] {
  const others = seen.filter(({ outcome }) => outcome !== 'passed');
  // Skipped ones matter least.
  const listed = others.toSorted((a, b) => Number(a.outcome === 'skipped') - Number(b.outcome === 'skipped'));
  const left = listed.length - MAX_TESTS;
  return [
    ...listed.slice(0, MAX_TESTS).map(({ id, outcome }) => `${outcome.padEnd(8)} ${safeLine(id)}`),
    ...(left > 0 ? [`and ${left} more; --json lists all`] : []),
  ];
}

/** Where all tests passed, their output explains nothing. */
function outputLines({ passed, seen, output }: RepoResult): readonly string[] {
  const allPassed = seen.length > 0 && seen.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped');
  if (passed || allPassed || output.trim() === '') return [];
  const lines = output.trimEnd().split('\n');
  const left = lines.length - MAX_OUTPUT_LINES;
  return [
    ...(left > 0 ? [`… ${left} earlier lines; --json has all that was kept`] : []),
    ...lines.slice(-MAX_OUTPUT_LINES).map(safeLine),
  ];
}

/** One for each kind of fault. There is no bundle with a `test.log` here: the output of the tests follows. */
function nextSteps({ faults }: RepoResult): readonly string[] {
  const steps = faults.map(({ code }) => explainCode(code, REASONS).next.replaceAll('test.log', 'the output below'));
  return [...new Set(steps)];
}

function baseLines(result: RepoResult): readonly string[] {
  const { base } = result;
  if (base === null)
    return [
      'proves nothing about a change: without --base, nothing protects the tests; give the commit before the change',
    ];
  // Tests of a change that was refused before they started are not lost.
  const compared = testsRan(result) ? base.tests : null;
  return [
    ...(base.proof === null ? [] : [`${proofLine(base, result.isolation)} · ${ISOLATION_WORD[result.isolation]}`]),
    `base ${base.commit}: ${compared === null ? 'the tests were not run with the change' : beforeAfterText(compared)}`,
    ...regressionsIn(compared).flatMap(({ what, ids }) => ids.map((id) => `${what}: ${id}`)),
    ...base.decisions.filter(({ kind }) => kind === 'refused').map(({ path, why }) => `${path}: ${why}`),
    ...base.decisions.filter(hadNoVote).map(({ path }) => `had no vote: ${path}`),
  ];
}

type Base = NonNullable<RepoResult['base']>;

const hadNoVote = ({ kind }: Base['decisions'][number]): boolean => kind === 'no_vote' || kind === 'added_test';

function proofLine({ proof, decisions, tests, verdict }: Base, isolation: RepoResult['isolation']): string {
  if (decisions.length > 0 && decisions.every(hadNoVote)) return 'only tests changed; nothing proven';
  if (isolation === 'exit_code' && verdict === 'fail') return 'the test command failed before and succeeds now';
  return proof === 'fixed' ? `${tests.fixed.length} fixed` : 'nothing broke; no test was fixed';
}

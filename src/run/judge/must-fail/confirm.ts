import type { AlteredCopy, CopyMaker } from './copies.ts';
import type { AlteredRun, MustFailRequest, Outcomes } from './request.ts';
import { type Alarm, type CopyAnswer, type NotAltered, readCopyAnswer } from './verdict.ts';
import { mustFail } from './variants.ts';

/** Each costs a run or two, and a few are enough to show that something is wrong. */
const MAX_ALARMS = 5;
const MAX_CONFIRMATIONS = 12;

export interface Round {
  readonly ids: readonly string[];
  readonly copies: readonly AlteredCopy[];
  readonly outcomes: Outcomes;
}

interface Confirmation {
  readonly request: MustFailRequest;
  readonly copies: CopyMaker;
  readonly rounds: readonly Round[];
  readonly timeoutMs: number;
}

interface Confirmed {
  /** Wrong answers that did not repeat are left out, or corrected. */
  readonly answers: readonly CopyAnswer[];
  readonly alarms: readonly Alarm[];
  readonly dismissed: readonly NotAltered[];
}

/**
 * Repeats every wrong answer with that test as the only altered one, since a failed test may have left something behind for the next.
 * The same tests run as before, so a forger that behaves when one test runs alone is seen too.
 */
export async function confirmAlarms({ request, copies, rounds, timeoutMs }: Confirmation): Promise<Confirmed> {
  const answers: CopyAnswer[] = [];
  const alarms: Alarm[] = [];
  const dismissed: NotAltered[] = [];
  const all = rounds.flatMap(({ ids, copies: made, outcomes }) => made.map((copy) => ({ ids, copy, outcomes })));
  let confirmations = 0;
  for (const { ids, copy, outcomes } of all.toSorted((a, b) => Number(b.copy.site.fixed) - Number(a.copy.site.fixed))) {
    const wrong = wrongIn(copy, copy.site.tests, outcomes);
    answers.push(...answersOf(copy, outcomes).filter(({ test }) => !wrong.includes(test)));
    if (wrong.length === 0) continue;
    if (alarms.length >= MAX_ALARMS || confirmations >= MAX_CONFIRMATIONS) {
      dismissed.push(
        ...because(wrong, 'its copy answered wrongly, which was not tried again because others did so too'),
      );
      continue;
    }
    confirmations += 1;
    const confirmed = await confirmCopy(copy, wrong, { files: await copies.alone(copy), ids, timeoutMs }, request);
    answers.push(...confirmed.answers);
    alarms.push(...confirmed.alarms);
    dismissed.push(...confirmed.dismissed);
  }
  const without = new Set(dismissed.map(({ test }) => test));
  return { answers: answers.filter(({ test }) => !without.has(test)), alarms, dismissed };
}

async function confirmCopy(
  copy: AlteredCopy,
  wrong: readonly string[],
  asked: AlteredRun,
  request: MustFailRequest,
): Promise<Confirmed> {
  const again = await request.run(asked);
  const still = wrongIn(copy, wrong, again);
  const repeated = mustFail(copy.variant)
    ? await thatRanTheCopy(copy, still, asked, request)
    : await failedByTheCopy(copy, still, asked, request);
  const excused = await sameOnBase(copy, repeated, asked, request);
  const blamed = repeated.filter((test) => !excused.includes(test));
  return {
    answers: answersOf(copy, again).filter(({ test }) => wrong.includes(test)),
    alarms: blamed.map((test) => ({ test, variant: copy.variant })),
    dismissed: [
      ...because(
        still.filter((test) => !repeated.includes(test)),
        'its copy answered wrongly, and not because of the patch',
      ),
      ...because(excused, 'its copy answers the same on the base'),
    ],
  };
}

function because(tests: readonly string[], why: string): readonly NotAltered[] {
  return tests.map((test) => ({ test, why }));
}

function answersOf({ site, variant }: AlteredCopy, outcomes: Outcomes): readonly CopyAnswer[] {
  return site.tests.map((test) => ({ test, variant, outcome: outcomes.get(test) ?? null }));
}

function wrongIn(copy: AlteredCopy, tests: readonly string[], outcomes: Outcomes): readonly string[] {
  const wrong = answersOf(copy, outcomes).filter((answer) => readCopyAnswer(answer) === 'wrong');
  return wrong.map(({ test }) => test).filter((test) => tests.includes(test));
}

/**
 * Of tests that passed although they must fail: those whose copy really ran. If the location of a test is uncertain, another test may
 * have failed in its place.
 */
async function thatRanTheCopy(
  { site }: AlteredCopy,
  tests: readonly string[],
  asked: AlteredRun,
  { run, fixed, kept }: MustFailRequest,
): Promise<readonly string[]> {
  if (site.certain || tests.length === 0) return tests;
  const all = [...fixed, ...kept];
  const outcomes = await run({ ...asked, ids: all });
  return all.some((test) => !tests.includes(test) && outcomes.get(test) === 'failed') ? [] : tests;
}

/** Of tests that failed although they must pass: those that failed because of the copy. */
async function failedByTheCopy(
  copy: AlteredCopy,
  tests: readonly string[],
  asked: AlteredRun,
  { run, fixed, kept }: MustFailRequest,
): Promise<readonly string[]> {
  if (tests.length === 0) return tests;
  const unaltered = await run({ ...asked, files: new Map() });
  const passing = tests.filter((test) => unaltered.get(test) === 'passed');
  if (passing.length === tests.length) return tests;
  // A test that depends on earlier tests passes only when all run, as in the deciding run.
  const amongAll = await run({ ...asked, ids: [...fixed, ...kept] });
  return tests.filter((test) => passing.includes(test) || wrongIn(copy, [test], amongAll).length > 0);
}

/** A fixed test fails on the base in any case, and a file that the patch changed differs from the base's. */
async function sameOnBase(
  copy: AlteredCopy,
  tests: readonly string[],
  asked: AlteredRun,
  { base, fixed, files }: MustFailRequest,
): Promise<readonly string[]> {
  const kept = tests.filter((test) => !fixed.includes(test));
  const isBases = base !== null && [...asked.files.keys()].every((path) => base.read(path) === files.read(path));
  return kept.length === 0 || base === null || !isBases ? [] : wrongIn(copy, kept, await base.run(asked));
}
